// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

/**
 * A server that opens files as a data node does, for cases that are about the network: it counts
 * what it is asked, and can be made to wait. Nobody but {@code reader} may read.
 */
public final class FakeDataNode implements AutoCloseable {

  private static final String FILES = "/webhdfs/v1";
  private static final int PIECE_BYTES = 1 << 14;
  private static final Pattern RANGE = Pattern.compile("offset=(\\d+)&length=(\\d+)");
  private static final String IDENTITY =
      "{\"beans\":[{\"name\":\"Hadoop:service=DataNode,name=DataNodeInfo\",\"DataPort\":\"9866\","
          + "\"HttpPort\":null,\"DatanodeHostname\":\"here\"},"
          + "{\"name\":\"Hadoop:service=DataNode,name=FSDatasetState-abc\"}]}";

  private final HttpServer server;
  private final String scheme;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Map<String, byte[]> files = new ConcurrentHashMap<>();
  private final List<String> opened = new CopyOnWriteArrayList<>();
  private final AtomicLong sent = new AtomicLong();
  private final AtomicInteger requests = new AtomicInteger();
  private final List<String> others = new CopyOnWriteArrayList<>();
  private volatile String authentication = "simple";
  private volatile long free;
  private volatile CountDownLatch gate = new CountDownLatch(0);

  public FakeDataNode() throws IOException {
    this(HttpServer.create(anyPort(), 0), "http");
  }

  /** One that speaks HTTPS. */
  public static FakeDataNode ofHttps(SSLContext context) throws IOException {
    return ofHttps(context, anyPort());
  }

  /** The same at a port. */
  public static FakeDataNode ofHttps(SSLContext context, InetSocketAddress address)
      throws IOException {
    HttpsServer server = HttpsServer.create(address, 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    return new FakeDataNode(server, "https");
  }

  private static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private FakeDataNode(HttpServer server, String scheme) {
    this.server = server;
    this.scheme = scheme;
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  public InetSocketAddress address() {
    return server.getAddress();
  }

  /** Puts a file there. */
  public void put(String path, byte[] content) {
    files.put(path, content);
  }

  /** Paths of files that were asked for. */
  public List<String> opened() {
    return opened;
  }

  /** All other requests, as method and address. */
  public List<String> others() {
    return others;
  }

  /** Bytes of files that it has sent, wherever these are. */
  public long sent() {
    return sent.get();
  }

  /** How often it was asked for something. */
  public int requests() {
    return requests.get();
  }

  /** Is one that believes no names, from now on. */
  public void wantKerberos() {
    authentication = "kerberos";
  }

  /** Makes those who read wait. */
  public void shut() {
    gate = new CountDownLatch(1);
  }

  /** Makes those who read bytes of files from a place on wait there. */
  public void shutBehind(long place) {
    free = place;
    shut();
  }

  /** Lets them go on. */
  public void open() {
    gate.countDown();
  }

  private void answer(HttpExchange exchange) throws IOException {
    requests.incrementAndGet();
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      if (path.equals("/jmx")) {
        send(exchange, 200, IDENTITY);
      } else if (path.equals("/conf")) {
        send(exchange, 200, "{\"property\":{\"value\":\"" + authentication + "\"}}");
      } else if (path.startsWith(FILES) && exchange.getRequestMethod().equals("GET")) {
        opened.add(path.substring(FILES.length()));
        openFile(exchange, path.substring(FILES.length()));
      } else {
        others.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
        byte[] body = exchange.getRequestBody().readAllBytes();
        exchange
            .getResponseHeaders()
            .add("Location", scheme + "://127.0.0.1:" + address().getPort() + "/elsewhere?a=b");
        send(exchange, 201, body);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void openFile(HttpExchange exchange, String path)
      throws IOException, InterruptedException {
    if (free == 0) {
      pass();
    }
    String query = exchange.getRequestURI().getRawQuery();
    byte[] file = files.get(path);
    Matcher range = RANGE.matcher(query);
    if (!query.contains("user.name=reader") || !range.find()) {
      send(exchange, 403, "{\"RemoteException\":{\"exception\":\"AccessControlException\"}}");
    } else if (file == null) {
      send(exchange, 404, "{\"RemoteException\":{\"exception\":\"FileNotFoundException\"}}");
    } else {
      int from = (int) Math.min(file.length, Long.parseLong(range.group(1)));
      int count = (int) Math.min(Long.parseLong(range.group(2)), file.length - from);
      exchange.sendResponseHeaders(200, count == 0 ? -1 : count);
      if (count > 0) {
        try (OutputStream body = exchange.getResponseBody()) {
          for (int done = 0; done < count; done += PIECE_BYTES) {
            if (from + done >= free) {
              pass();
            }
            int piece = Math.min(PIECE_BYTES, count - done);
            body.write(file, from + done, piece);
            sent.addAndGet(piece);
          }
        }
      }
    }
  }

  private void pass() throws IOException, InterruptedException {
    if (!gate.await(1, TimeUnit.MINUTES)) {
      throw new IOException("nobody has opened the gate");
    }
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    send(exchange, status, body.getBytes(StandardCharsets.UTF_8));
  }

  private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(body);
      }
    }
  }

  @Override
  public void close() {
    open();
    server.stop(0);
    threads.shutdownNow();
  }
}
