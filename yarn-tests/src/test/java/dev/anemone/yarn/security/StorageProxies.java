// SPDX-License-Identifier: Apache-2.0
package dev.anemone.yarn.security;

import dev.anemone.beam.hdfs.HadoopTls;
import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.AggregateFunction;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ndp.client.ClientOptions;
import dev.anemone.ndp.client.NdpClient;
import dev.anemone.ndp.client.ProxyAnswer;
import dev.anemone.ndp.client.RemoteFile;
import dev.anemone.ndp.engine.split.Split;
import dev.anemone.ndp.format.CsvFormat;
import dev.anemone.ndp.protocol.PlanRequest;
import dev.anemone.ndp.proxy.NdpProxy;
import dev.anemone.ndp.proxy.ProxyOptions;
import dev.anemone.ndp.proxy.ProxyTls;
import dev.anemone.ndp.rows.ArrowRows;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.apache.arrow.memory.RootAllocator;

/** Proxies beside data nodes, in this JVM, and a table of numbers and names. */
final class StorageProxies implements AutoCloseable {

  private static final RowType ROW =
      RowType.of(Field.nullable("id", SimpleType.INT64), Field.nullable("name", SimpleType.STRING));

  private final SSLContext trust;
  private final List<NdpProxy> proxies = new ArrayList<>();

  /**
   * Starts a proxy for each data node.
   *
   * @param dataNodes where WebHDFS of each is
   * @param configuration of a cluster that speaks HTTPS
   * @param directory for their files
   */
  StorageProxies(List<InetSocketAddress> dataNodes, Path configuration, Path directory)
      throws IOException {
    trust = HadoopTls.client(configuration);
    ProxyTls tls = new ProxyTls(Optional.of(HadoopTls.server(configuration)), Optional.of(trust));
    for (InetSocketAddress dataNode : dataNodes) {
      proxies.add(
          NdpProxy.start(
              new ProxyOptions(
                  dataNode,
                  new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                  new ProxyOptions.Limits(
                      1,
                      256L << 20,
                      16,
                      16,
                      64L << 20,
                      Duration.ofSeconds(60),
                      Duration.ofSeconds(20)),
                  Files.createDirectory(directory.resolve("proxy" + proxies.size())),
                  Optional.empty(),
                  tls)));
    }
  }

  /** The option that names them. */
  String option() {
    return "--ndpProxies="
        + proxies.stream()
            .map(proxy -> "https://127.0.0.1:" + proxy.address().getPort())
            .collect(Collectors.joining(","));
  }

  /** Lines of the table: numbers from 0 on, and names. */
  static byte[] table(int rows) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < rows; i++) {
      text.append(i).append("|name of ").append(i % 97).append('\n');
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Asks one of them for the sum of the numbers of a table. */
  Object sum(RemoteFile file) throws IOException {
    RelationalPlan plan =
        RelationalPlan.of(
            ROW,
            Aggregate.complete(
                    List.of(), List.of(AggregateCall.of("total", AggregateFunction.SUM, "id")))
                .partialHalf());
    try (RootAllocator allocator = new RootAllocator();
        ProxyAnswer answer =
            new NdpClient(ClientOptions.defaults().withTls(trust))
                .run(
                    proxies.get(0).address(),
                    file,
                    new PlanRequest(CsvFormat.of('|'), ROW, Split.WHOLE, plan),
                    allocator)) {
      List<List<Object>> rows = new ArrayList<>();
      while (answer.loadNextBatch()) {
        rows.addAll(ArrowRows.of(answer.getVectorSchemaRoot(), answer.type()));
      }
      return rows.get(0).get(0);
    }
  }

  @Override
  public void close() {
    proxies.forEach(NdpProxy::close);
  }
}
