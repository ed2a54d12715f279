// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/**
 * What a ResourceManager says of its cluster now.
 *
 * @param nodes that serve
 * @param usedMb memory in MB that containers have
 * @param applications that run
 */
record ClusterMetrics(int nodes, long usedMb, int applications) {
  private static final int OK = 200;
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  /**
   * Asks.
   *
   * @param page the ResourceManager's web page
   * @throws IOException it does not answer in time
   */
  static ClusterMetrics ask(URI page) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(page.resolve("/ws/v1/cluster/metrics"))
            .header("Accept", "application/json")
            .timeout(DEADLINE)
            .build();
    HttpResponse<String> response;
    try {
      response =
          HttpClient.newBuilder()
              .connectTimeout(DEADLINE)
              .build()
              .send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new IOException("the ResourceManager at " + page + " does not answer: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while asking " + page, e);
    }
    if (response.statusCode() != OK) {
      throw new IOException(
          "the ResourceManager at " + page + " answers with status " + response.statusCode());
    }
    JsonNode metrics = new ObjectMapper().readTree(response.body()).path("clusterMetrics");
    return new ClusterMetrics(
        metrics.path("activeNodes").asInt(),
        metrics.path("allocatedMB").asLong(),
        metrics.path("appsRunning").asInt());
  }
}
