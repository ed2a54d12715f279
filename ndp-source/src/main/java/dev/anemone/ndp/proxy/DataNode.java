// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.proxy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.anemone.ndp.protocol.ProxyStatus.DataNodeIdentity;
import dev.anemone.ndp.protocol.TimedBody;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The data node beside which the proxy is. Nothing of the proxy's own is sent to it, no name and no
 * ticket: HDFS decides by what the caller sent. Thread-safe.
 */
final class DataNode {

  private static final String INFO = "DataNodeInfo";
  private static final String ACTIVITY = "Hadoop:service=DataNode,name=DataNodeActivity-";
  private static final String DATASET = "Hadoop:service=DataNode,name=FSDatasetState";
  private static final String IDENTITY_QUERY = "/jmx?qry=Hadoop:service=DataNode,name=*";
  private static final String HOST_QUERY = "/conf?name=dfs.datanode.hostname";
  private static final String AUTHENTICATION_QUERY = "/conf?name=hadoop.security.authentication";
  private static final String NO_AUTHENTICATION = "simple";
  private static final int LARGEST_IDENTITY = 16 << 20;

  private final InetSocketAddress address;
  private final ProxyTls tls;
  private final Duration patience;
  private final HttpClient client;

  DataNode(InetSocketAddress address, ProxyTls tls, Duration patience) {
    this.address = address;
    this.tls = tls;
    this.patience = patience;
    HttpClient.Builder http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(patience);
    tls.dataNode().ifPresent(http::sslContext);
    this.client = http.build();
  }

  InetSocketAddress address() {
    return address;
  }

  /**
   * Asks for something.
   *
   * @param deadline how long all of the answer may take
   * @return the answer, whose body the caller closes
   */
  HttpResponse<TimedBody> get(String path, Map<String, String> headers, Duration deadline)
      throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create(
                    tls.dataNodeScheme()
                        + "://"
                        + hostText(address)
                        + ":"
                        + address.getPort()
                        + path))
            .timeout(patience);
    headers.forEach(request::header);
    try {
      return client.send(request.build(), head -> new TimedBody(patience, deadline));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the data node was asked", e);
    }
  }

  private static String hostText(InetSocketAddress address) {
    String host = address.getHostString();
    return host.indexOf(':') < 0 ? host : "[" + host + "]";
  }

  /** What the data node says of itself. */
  DataNodeIdentity identity() throws IOException {
    String uuid = "";
    String host = "";
    int dataPort = 0;
    int httpPort = 0;
    Map<String, Integer> activePorts = new HashMap<>();
    for (JsonNode bean : json(IDENTITY_QUERY).path("beans")) {
      String name = bean.path("name").asText();
      if (name.endsWith("name=" + INFO)) {
        host = bean.path("DatanodeHostname").asText();
        dataPort = bean.path("DataPort").asInt();
        httpPort = bean.path("HttpPort").asInt();
      } else if (name.startsWith(ACTIVITY)) {
        int port = name.lastIndexOf('-');
        activePorts.put(
            name.substring(ACTIVITY.length(), port), Integer.parseInt(name.substring(port + 1)));
      } else if (name.startsWith(DATASET + "-")) {
        uuid = name.substring(DATASET.length() + 1);
      }
    }
    if (host.isEmpty()) {
      throw new IOException("what answers at " + address + " is no data node of HDFS");
    }
    if (activePorts.size() > 1) {
      // Beans are those of a JVM, and a cluster for tests has several data nodes in one.
      String configured = setting(HOST_QUERY);
      host = configured.isEmpty() ? host : configured;
      uuid = "";
    }
    if (dataPort == 0) {
      // It is configured as any; a bean is named by that which it is.
      dataPort =
          activePorts.size() == 1
              ? activePorts.values().iterator().next()
              : activePorts.getOrDefault(host, 0);
    }
    return new DataNodeIdentity(uuid, host, dataPort, httpPort);
  }

  /** Whether it believes no names, but wants Kerberos or a token. */
  boolean isSecure() throws IOException {
    String authentication = setting(AUTHENTICATION_QUERY);
    return !authentication.isEmpty() && !authentication.equalsIgnoreCase(NO_AUTHENTICATION);
  }

  /** Of the data node's configuration; empty for none. */
  private String setting(String query) throws IOException {
    return json(query).path("property").path("value").asText();
  }

  private JsonNode json(String path) throws IOException {
    HttpResponse<TimedBody> response = get(path, Map.of("Accept", "application/json"), patience);
    try (TimedBody body = response.body()) {
      byte[] json = body.readNBytes(LARGEST_IDENTITY);
      if (response.statusCode() != 200) {
        throw new IOException("the data node answers " + response.statusCode() + " to " + path);
      }
      return new JsonMapper().readTree(json);
    }
  }
}
