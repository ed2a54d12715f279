// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.testing;

import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.AggregateFunction;
import dev.anemone.ir.relational.Expression.Column;
import dev.anemone.ir.relational.Expression.Comparison;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RelationalOperator.Filter;
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
import dev.anemone.ndp.protocol.SharedSecret;
import dev.anemone.ndp.proxy.NdpProxy;
import dev.anemone.ndp.proxy.ProxyOptions;
import dev.anemone.ndp.proxy.ProxyTls;
import dev.anemone.ndp.rows.ArrowRows;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.RootAllocator;

/** Proxies, plans and a table for tests. */
public final class Proxies {

  /** A table of numbers and names. */
  public static final RowType ROW =
      RowType.of(Field.nullable("id", SimpleType.INT64), Field.nullable("name", SimpleType.STRING));

  /** All rows. */
  public static final RelationalPlan ALL = RelationalPlan.of(ROW);

  private Proxies() {}

  /** A proxy at any port with one core. */
  public static NdpProxy start(
      InetSocketAddress dataNode, Path work, int queue, Optional<SharedSecret> secret)
      throws IOException {
    return start(dataNode, work, queue, secret, Duration.ofSeconds(20));
  }

  /** A proxy that waits no longer for anybody. */
  public static NdpProxy start(InetSocketAddress dataNode, Path work, Duration patience)
      throws IOException {
    return start(dataNode, work, 1, Optional.empty(), patience);
  }

  private static NdpProxy start(
      InetSocketAddress dataNode,
      Path work,
      int queue,
      Optional<SharedSecret> secret,
      Duration patience)
      throws IOException {
    return NdpProxy.start(
        new ProxyOptions(
            dataNode,
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new ProxyOptions.Limits(
                1, 256L << 20, queue, 16, 64L << 20, Duration.ofSeconds(60), patience),
            work,
            secret,
            ProxyTls.NONE));
  }

  /** A proxy of HTTPS. */
  public static NdpProxy start(
      InetSocketAddress dataNode, InetSocketAddress listen, Path work, ProxyTls tls)
      throws IOException {
    return NdpProxy.start(
        new ProxyOptions(
            dataNode,
            listen,
            new ProxyOptions.Limits(
                1, 256L << 20, 1, 16, 64L << 20, Duration.ofSeconds(60), Duration.ofSeconds(20)),
            work,
            Optional.empty(),
            tls));
  }

  /** Lines of the table. */
  public static byte[] table(int rows) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < rows; i++) {
      text.append(i).append("|name of ").append(i % 97).append('\n');
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** A request for a plan on a split of the table. */
  public static PlanRequest request(RelationalPlan plan, Split split) {
    return new PlanRequest(CsvFormat.of('|'), ROW, split, plan);
  }

  /** The rows below a number. */
  public static RelationalPlan below(long id) {
    return RelationalPlan.of(
        ROW,
        new Filter(new Comparison(Comparison.Relation.LESS, new Column("id"), Literal.of(id))));
  }

  /** The sum of the numbers. */
  public static RelationalPlan sum() {
    return RelationalPlan.of(
        ROW,
        Aggregate.complete(
                List.of(), List.of(AggregateCall.of("total", AggregateFunction.SUM, "id")))
            .partialHalf());
  }

  /** A file that may be read. */
  public static RemoteFile file(String path) {
    return RemoteFile.of(path, "127.0.0.1:8020", "reader");
  }

  /** A client that holds little back. */
  public static ClientOptions options(Duration patience) {
    return new ClientOptions(
        Duration.ofSeconds(20),
        patience,
        Duration.ofSeconds(60),
        64L << 20,
        1 << 16,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** What a client gets, row by row. */
  public static List<List<Object>> rows(
      NdpClient client, InetSocketAddress proxy, RemoteFile file, PlanRequest request)
      throws IOException {
    List<List<Object>> rows = new ArrayList<>();
    try (RootAllocator allocator = new RootAllocator();
        ProxyAnswer answer = client.run(proxy, file, request, allocator)) {
      while (answer.loadNextBatch()) {
        rows.addAll(ArrowRows.of(answer.getVectorSchemaRoot(), answer.type()));
      }
    }
    return rows;
  }
}
