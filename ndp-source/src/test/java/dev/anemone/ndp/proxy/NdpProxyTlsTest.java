// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.anemone.cluster.TlsFiles;
import dev.anemone.ndp.client.NdpClient;
import dev.anemone.ndp.client.ProxyException;
import dev.anemone.ndp.client.RemoteFile;
import dev.anemone.ndp.engine.split.Split;
import dev.anemone.ndp.testing.FakeDataNode;
import dev.anemone.ndp.testing.Proxies;
import dev.anemone.ndp.testing.RawHttp;
import dev.anemone.ndp.testing.RecordingRelay;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.ssl.KeyStoresFactory;
import org.apache.hadoop.security.ssl.SSLFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections of a proxy that nobody between can read. */
class NdpProxyTlsTest {

  private static final int ROWS = 30_000;
  private static final String FILE = "/t/table.csv";
  private static final String TOKEN = "0123456789-a-token-of-hdfs";
  private static final InetSocketAddress LOOPBACK =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final RemoteFile WITH_TOKEN =
      new RemoteFile(FILE, "127.0.0.1:8020", Optional.of("reader"), Optional.of(TOKEN), Map.of());

  @TempDir private static Path directory;
  private static Path work;
  private static SSLContext own;
  private static SSLContext other;
  private static FakeDataNode dataNode;
  private static NdpProxy proxy;

  @BeforeAll
  static void start() throws Exception {
    work = Files.createDirectory(directory.resolve("work"));
    own = context(TlsFiles.create(directory.resolve("own")));
    other = context(TlsFiles.create(directory.resolve("other")));
    dataNode = FakeDataNode.ofHttps(own);
    dataNode.put(FILE, Proxies.table(ROWS));
    proxy = Proxies.start(dataNode.address(), LOOPBACK, work, tls(own));
  }

  @AfterAll
  static void stop() {
    proxy.close();
    dataNode.close();
  }

  /** With the key and with trust in it, for both ends. */
  private static SSLContext context(TlsFiles files) throws Exception {
    Configuration configuration = new Configuration();
    configuration.addResource(
        new org.apache.hadoop.fs.Path(files.directory().resolve("ssl-server.xml").toUri()));
    SSLFactory factory = new SSLFactory(SSLFactory.Mode.SERVER, configuration);
    factory.init();
    KeyStoresFactory stores = factory.getKeystoresFactory();
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(stores.getKeyManagers(), stores.getTrustManagers(), null);
    return context;
  }

  private static ProxyTls tls(SSLContext context) {
    return new ProxyTls(
        Optional.of(
            () -> {
              var engine = context.createSSLEngine();
              engine.setUseClientMode(false);
              return engine;
            }),
        Optional.of(context));
  }

  private static NdpClient client(SSLContext context) {
    return new NdpClient(Proxies.options(Duration.ofSeconds(20)).withTls(context));
  }

  @Test
  void whoReadsAlongSeesNeitherTokenNorFile() throws IOException {
    try (RecordingRelay behind = new RecordingRelay(dataNode.address());
        NdpProxy relayed = Proxies.start(behind.address(), LOOPBACK, work, tls(own));
        RecordingRelay before = new RecordingRelay(relayed.address())) {
      List<List<Object>> sum =
          Proxies.rows(
              client(own),
              before.address(),
              WITH_TOKEN,
              Proxies.request(Proxies.sum(), Split.WHOLE));
      assertThat(sum).isEqualTo(List.of(List.of((long) ROWS * (ROWS - 1) / 2)));
      assertThat(client(own).status(before.address()).dataNode().host()).isEqualTo("here");
      for (RecordingRelay relay : List.of(before, behind)) {
        assertThat(relay.text()).isNotEmpty().doesNotContain("HTTP", TOKEN, "name of");
      }
    }
  }

  @Test
  void answersThatAreLongerThanWhatIsOnItsWayAreWhole() throws IOException {
    assertThat(
            Proxies.rows(
                client(own),
                proxy.address(),
                WITH_TOKEN,
                Proxies.request(Proxies.ALL, Split.WHOLE)))
        .hasSize(ROWS);
  }

  @Test
  void requestsWithoutAPlanPassThroughAndComeBackToTheProxy() throws Exception {
    byte[] large = new byte[3 << 20];
    large[large.length - 1] = 7;
    HttpResponse<byte[]> response =
        HttpClient.newBuilder()
            .sslContext(own)
            .build()
            .send(
                HttpRequest.newBuilder(
                        URI.create(
                            "https://127.0.0.1:"
                                + proxy.address().getPort()
                                + "/webhdfs/v1/new?op=CREATE"))
                    .timeout(Duration.ofSeconds(60))
                    .PUT(BodyPublishers.ofByteArray(large))
                    .build(),
                BodyHandlers.ofByteArray());
    assertThat(response.statusCode()).isEqualTo(201);
    assertThat(response.body()).isEqualTo(large);
    assertThat(response.headers().firstValue("Location"))
        .contains("https://127.0.0.1:" + proxy.address().getPort() + "/elsewhere?a=b");
  }

  @Test
  void aClientBelievesNoOtherCertificate() {
    ProxyException refusal =
        catchThrowableOfType(ProxyException.class, () -> client(other).status(proxy.address()));
    assertThat(refusal.kind()).isEqualTo(ProxyException.Kind.UNREACHABLE);
    assertThat(refusal).hasMessageContaining("does not prove that it is the proxy");
  }

  @Test
  void aProxyBelievesNoOtherDataNode() {
    assertThatThrownBy(() -> Proxies.start(dataNode.address(), LOOPBACK, work, tls(other)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("there is no data node of HDFS at")
        .hasMessageContaining("PKIX");
  }

  /** Its certificate is a good one, and that of somebody else. */
  @Test
  void nothingIsHandedOnToWhoTakesTheDataNodesPlace() throws Exception {
    TlsFiles mine = TlsFiles.create(directory.resolve("mine"));
    TlsFiles theirs = TlsFiles.create(directory.resolve("theirs"), "DNS:elsewhere.invalid");
    ProxyTls tls = new ProxyTls(tls(own).clients(), Optional.of(trusting(mine, theirs)));
    FakeDataNode first = FakeDataNode.ofHttps(context(mine));
    try (NdpProxy deceived = Proxies.start(first.address(), LOOPBACK, work, tls)) {
      first.close();
      try (FakeDataNode second = FakeDataNode.ofHttps(context(theirs), first.address())) {
        HttpResponse<String> response =
            HttpClient.newBuilder()
                .sslContext(own)
                .build()
                .send(
                    HttpRequest.newBuilder(
                            URI.create(
                                "https://127.0.0.1:"
                                    + deceived.address().getPort()
                                    + "/webhdfs/v1/new?op=OPEN&delegation="
                                    + TOKEN))
                        .timeout(Duration.ofSeconds(60))
                        .build(),
                    BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(502);
        assertThat(second.requests()).isZero();
      }
    }
  }

  private static SSLContext trusting(TlsFiles... files) throws Exception {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    for (TlsFiles each : files) {
      try (InputStream certificate = Files.newInputStream(each.certificate())) {
        store.setCertificateEntry(
            each.directory().toString(),
            CertificateFactory.getInstance("X.509").generateCertificate(certificate));
      }
    }
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }

  @Test
  void whoSpeaksHttpIsHungUpOn() throws IOException {
    assertThat(
            RawHttp.send(proxy.address(), "GET /anemone/v1/status HTTP/1.1\r\nHost: here\r\n\r\n"))
        .doesNotContain("HTTP");
    assertThatThrownBy(
            () -> new NdpClient(Proxies.options(Duration.ofSeconds(20))).status(proxy.address()))
        .isInstanceOf(ProxyException.class);
  }

  @Test
  void aSecureClustersProxyIsReachedByHttpsOnly() throws IOException {
    InetSocketAddress everywhere = new InetSocketAddress("0.0.0.0", 0);
    try (FakeDataNode secure = FakeDataNode.ofHttps(own)) {
      secure.wantKerberos();
      ProxyTls open = new ProxyTls(Optional.empty(), Optional.of(own));
      assertThatThrownBy(() -> Proxies.start(secure.address(), everywhere, work, open))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("delegation tokens")
          .hasMessageContaining("listen on https://");
      Proxies.start(secure.address(), LOOPBACK, work, open).close();
      Proxies.start(secure.address(), everywhere, work, tls(own)).close();
    }
  }
}
