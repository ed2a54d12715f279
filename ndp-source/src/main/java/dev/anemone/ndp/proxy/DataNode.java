// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.proxy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.anemone.ndp.protocol.ProxyStatus.DataNodeIdentity;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
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

  private final DataNodeWay way;
  private final EventLoopGroup loops;

  /**
   * A data node.
   *
   * @param loops of connections with it
   */
  DataNode(DataNodeWay way, EventLoopGroup loops) {
    this.way = way;
    this.loops = loops;
  }

  /**
   * Asks for something.
   *
   * @param deadline how long all of the answer may take
   * @return the answer, which the caller closes
   */
  DataNodeAnswer get(String path, Map<String, String> headers, Duration deadline)
      throws IOException {
    HttpRequest request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, path);
    headers.forEach(request.headers()::set);
    request
        .headers()
        .set(HttpHeaderNames.HOST, way.authority())
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    return new DataNodeAnswer(way, loops, request, deadline);
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
      throw new IOException("what answers at " + way.authority() + " is no data node of HDFS");
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
    try (DataNodeAnswer answer = get(path, Map.of("Accept", "application/json"), way.patience())) {
      byte[] json = answer.readNBytes(LARGEST_IDENTITY);
      if (answer.status() != HttpResponseStatus.OK.code()) {
        throw new IOException("the data node answers " + answer.status() + " to " + path);
      }
      return new JsonMapper().readTree(json);
    }
  }
}
