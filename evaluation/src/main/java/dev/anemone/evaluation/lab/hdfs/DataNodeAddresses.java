// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.hdfs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.anemone.cluster.LocalCluster;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URLConnection;
import java.util.ArrayList;
import java.util.List;

/** Where the data nodes of a cluster serve WebHDFS, as the name node says. */
final class DataNodeAddresses {
  private static final String QUESTION = "/jmx?qry=Hadoop:service=NameNode,name=NameNodeInfo";
  private static final int TIMEOUT_MS = 20_000;

  private DataNodeAddresses() {}

  static List<InetSocketAddress> of(LocalCluster cluster) throws IOException {
    URLConnection question = cluster.filesPage().resolve(QUESTION).toURL().openConnection();
    question.setConnectTimeout(TIMEOUT_MS);
    question.setReadTimeout(TIMEOUT_MS);
    JsonMapper json = new JsonMapper();
    List<InetSocketAddress> addresses = new ArrayList<>();
    try (InputStream answer = question.getInputStream()) {
      String nodes = json.readTree(answer).path("beans").path(0).path("LiveNodes").asText();
      for (JsonNode node : json.readTree(nodes)) {
        String address = node.path("infoAddr").asText();
        int colon = address.lastIndexOf(':');
        addresses.add(
            new InetSocketAddress(
                address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))));
      }
    }
    return addresses;
  }
}
