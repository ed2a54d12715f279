// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.anemone.cluster.LocalCluster;
import dev.anemone.ndp.client.NdpClient;
import dev.anemone.ndp.client.ProxyException;
import dev.anemone.ndp.client.RemoteFile;
import dev.anemone.ndp.engine.split.Split;
import dev.anemone.ndp.format.CsvFormat;
import dev.anemone.ndp.protocol.PlanRequest;
import dev.anemone.ndp.protocol.ProxyStatus.DataNodeIdentity;
import dev.anemone.ndp.testing.Proxies;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A proxy beside a data node of a real HDFS. */
@Tag("slow")
class NdpProxyHdfsTest {

  private static final int ROWS = 100_000;
  private static final Path FILE = new Path("/tables/a table.csv");
  private static final String OWNER = System.getProperty("user.name");

  @TempDir private static java.nio.file.Path directory;
  private static LocalCluster cluster;
  private static FileSystem files;
  private static List<DatanodeInfo> nodes;
  private static NdpProxy proxy;
  private final NdpClient client = new NdpClient(Proxies.options(Duration.ofSeconds(30)));

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    cluster =
        LocalCluster.start(
            new LocalCluster.Settings(
                2,
                directory.resolve("cluster"),
                LocalCluster.Settings.DEFAULT_MEMORY_MB,
                LocalCluster.Settings.DEFAULT_CORES,
                Map.of("dfs.replication", "1", "dfs.blocksize", String.valueOf(1 << 20))));
    Configuration configuration = new Configuration(false);
    for (String name : List.of("core-site.xml", "hdfs-site.xml")) {
      configuration.addResource(new Path(cluster.configurationDirectory().resolve(name).toUri()));
    }
    files = FileSystem.newInstance(configuration);
    try (OutputStream out = files.create(FILE)) {
      out.write(Proxies.table(ROWS));
    }
    nodes = List.of(((DistributedFileSystem) files).getDataNodeStats());
    Files.createDirectory(directory.resolve("work"));
    proxy = proxyBeside(nodes.get(0));
  }

  private static NdpProxy proxyBeside(DatanodeInfo node) throws IOException {
    return Proxies.start(
        new InetSocketAddress(node.getHostName(), node.getInfoPort()),
        directory.resolve("work"),
        4,
        Optional.empty());
  }

  @AfterAll
  static void stop() throws IOException {
    if (proxy != null) {
      proxy.close();
    }
    if (files != null) {
      files.close();
    }
    cluster.close();
  }

  @Test
  void splitsTogetherAreTheTable() throws IOException {
    List<List<Object>> rows = new ArrayList<>();
    long size = files.getFileStatus(FILE).getLen();
    for (long start = 0; start < size; start += 1 << 20) {
      rows.addAll(rows(OWNER, Proxies.request(Proxies.below(50_000), new Split(start, 1 << 20))));
    }
    assertThat(rows).hasSize(50_000).doesNotHaveDuplicates();
    assertThat(rows(OWNER, Proxies.request(Proxies.sum(), Split.WHOLE)))
        .isEqualTo(List.of(List.of((long) ROWS * (ROWS - 1) / 2)));
  }

  /** So large that they are read while they come. */
  @Test
  void largeSplitsTogetherAreTheTable() throws IOException {
    int count = 1_000_000;
    Path large = new Path("/tables/large.csv");
    try (OutputStream out = files.create(large)) {
      out.write(Proxies.table(count));
    }
    long half = files.getFileStatus(large).getLen() / 2;
    RemoteFile file = RemoteFile.of(large.toString(), files.getUri().getAuthority(), OWNER);
    long total = 0;
    for (Split split : List.of(new Split(0, half), new Split(half, Long.MAX_VALUE))) {
      List<List<Object>> sums =
          Proxies.rows(client, proxy.address(), file, Proxies.request(Proxies.sum(), split));
      total += ((Number) sums.get(0).get(0)).longValue();
    }
    assertThat(half).isGreaterThan(8L << 20);
    assertThat(total).isEqualTo((long) count * (count - 1) / 2);
  }

  /** Of several blocks, which are not all on the data node of the proxy. */
  @Test
  void aCompressedFileIsReadWhole() throws IOException {
    int count = 1_000_000;
    Path compressed = new Path("/tables/large.csv.gz");
    try (OutputStream out = new GZIPOutputStream(files.create(compressed))) {
      out.write(Proxies.table(count));
    }
    assertThat(files.getFileStatus(compressed).getLen()).isGreaterThan(2L << 20);
    PlanRequest request =
        new PlanRequest(
            CsvFormat.of('|').withCompression(CsvFormat.Compression.GZIP),
            Proxies.ROW,
            Split.WHOLE,
            Proxies.sum());
    RemoteFile file = RemoteFile.of(compressed.toString(), files.getUri().getAuthority(), OWNER);
    assertThat(Proxies.rows(client, proxy.address(), file, request))
        .isEqualTo(List.of(List.of((long) count * (count - 1) / 2)));
  }

  /** Those of this cluster are in one JVM, and its beans are those of both. */
  @Test
  void proxiesKnowWhichDataNodeTheyAreBeside() throws IOException {
    List<String> names = new ArrayList<>();
    for (DatanodeInfo node : nodes) {
      try (NdpProxy beside = proxyBeside(node)) {
        DataNodeIdentity identity = client.status(beside.address()).dataNode();
        names.add(identity.host() + ":" + identity.dataPort());
      }
    }
    assertThat(names)
        .doesNotHaveDuplicates()
        .hasSameElementsAs(
            nodes.stream().map(node -> node.getHostName() + ":" + node.getXferPort()).toList());
  }

  @Test
  void whatPassesThroughIsTheDataNodesOwnAnswer() throws IOException, InterruptedException {
    String address =
        "/webhdfs/v1/tables/a%20table.csv?op=OPEN&user.name="
            + OWNER
            + "&namenoderpcaddress="
            + files.getUri().getAuthority();
    HttpResponse<byte[]> own =
        get(nodes.get(0).getHostName() + ":" + nodes.get(0).getInfoPort(), address);
    HttpResponse<byte[]> passed = get("127.0.0.1:" + proxy.address().getPort(), address);
    assertThat(passed.statusCode()).isEqualTo(own.statusCode()).isEqualTo(200);
    assertThat(passed.body()).isEqualTo(own.body()).isEqualTo(Proxies.table(ROWS));
  }

  @Test
  void whoMayNotReadAFileGetsNoRowOfIt() throws IOException {
    Path secret = new Path("/tables/secret.csv");
    try (OutputStream out = files.create(secret)) {
      out.write(Proxies.table(10));
    }
    files.setPermission(secret, new FsPermission("600"));
    RemoteFile file =
        RemoteFile.of(secret.toString(), files.getUri().getAuthority(), "somebody-else");
    ProxyException refusal =
        catchThrowableOfType(
            ProxyException.class,
            () ->
                Proxies.rows(
                    client, proxy.address(), file, Proxies.request(Proxies.ALL, Split.WHOLE)));
    assertThat(refusal.kind()).isEqualTo(ProxyException.Kind.REFUSED);
    assertThat(refusal).hasMessageContaining("403").hasMessageContaining("Permission denied");
  }

  private List<List<Object>> rows(String user, PlanRequest request) throws IOException {
    return Proxies.rows(
        client,
        proxy.address(),
        RemoteFile.of(FILE.toString(), files.getUri().getAuthority(), user),
        request);
  }

  private static HttpResponse<byte[]> get(String server, String address)
      throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://" + server + address))
                .timeout(Duration.ofSeconds(60))
                .build(),
            BodyHandlers.ofByteArray());
  }
}
