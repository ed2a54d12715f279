// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.server;

import dev.anemone.runtime.event.MasterPage;
import dev.anemone.ui.page.JobPage;
import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.HttpHandler;
import io.undertow.server.handlers.BlockingHandler;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.xnio.Options;

/**
 * Serves the page of jobs over HTTP. It starts no thread before it is started, and three then.
 * Thread-safe.
 */
public final class UiServer implements AutoCloseable {

  /** The first port that is tried where nobody asks for one. */
  public static final int FIRST_PORT = 4040;

  /** So many servers can run on a machine before somebody has to name a port. */
  private static final int PORTS_TRIED = 64;

  private static final int MOST_PORTS = 0xffff;
  private static final int TOKEN_BYTES = 16;
  private static final int IDLE_MILLIS = 60_000;

  private final Undertow undertow;
  private final String host;
  private final int port;
  private final Optional<String> token;

  private UiServer(Undertow undertow, String host, int port, Optional<String> token) {
    this.undertow = undertow;
    this.host = host;
    this.port = port;
    this.token = token;
  }

  /**
   * Starts a server at the first port from {@value #FIRST_PORT} on that is free.
   *
   * @param host name or address at which it listens; beyond the loopback it wants a token
   * @throws UiException when the host is none of this machine, or no port is free
   */
  public static UiServer startAnywhere(String host, Jobs jobs) {
    for (int port = FIRST_PORT; port < FIRST_PORT + PORTS_TRIED; port++) {
      Optional<UiServer> server = tryStart(host, port, jobs);
      if (server.isPresent()) {
        return server.get();
      }
    }
    throw new UiException(
        "No port from "
            + FIRST_PORT
            + " to "
            + (FIRST_PORT + PORTS_TRIED - 1)
            + " is free for the page. Give one that is, as --ui=PORT, or --ui=off.");
  }

  /**
   * Starts a server at a port, or, where somebody else has it, at the next one that is free; {@link
   * #port} says which.
   *
   * @param port from 1 to 65535; 0 for one that the system chooses
   * @throws UiException as {@link #startAnywhere} does
   */
  public static UiServer start(String host, int port, Jobs jobs) {
    if (port < 0 || port > MOST_PORTS) {
      throw new UiException(port + " is no port. Give one from 1 to " + MOST_PORTS + ".");
    }
    for (int next = port; next < Math.min(port + PORTS_TRIED, MOST_PORTS + 1); next++) {
      Optional<UiServer> server = tryStart(host, next, jobs);
      if (server.isPresent()) {
        return server.get();
      }
    }
    throw new UiException(
        "Port " + port + " and those after it are taken. Give one that is free, or --ui=off.");
  }

  /**
   * Starts a server for those who come through a cluster's proxy.
   *
   * @throws UiException when the host is none of this machine, or no port is free
   */
  public static UiServer startBehindProxy(MasterPage.Audience audience, Jobs jobs) {
    HttpHandler door = new ProxyDoor(audience, new JobHandler(jobs));
    for (int port : audience.ports().isEmpty() ? List.of(0) : audience.ports()) {
      Optional<UiServer> server =
          tryStart(audience.host(), audience.host(), port, Optional.empty(), door);
      if (server.isPresent()) {
        return server.get();
      }
    }
    throw new UiException("No port is free at " + audience.host() + " of " + audience.ports());
  }

  private static Optional<UiServer> tryStart(String host, int port, Jobs jobs) {
    Optional<String> token =
        address(host).isLoopbackAddress() ? Optional.empty() : Optional.of(token());
    return tryStart(
        "--uiHost=" + host, host, port, token, new Door(host, token, new JobHandler(jobs)));
  }

  private static Optional<UiServer> tryStart(
      String asked, String host, int port, Optional<String> token, HttpHandler door) {
    Undertow undertow =
        Undertow.builder()
            .addHttpListener(port, address(host).getHostAddress())
            .setIoThreads(1)
            .setWorkerThreads(2)
            // A program that has ended does not wait for it.
            .setWorkerOption(Options.THREAD_DAEMON, true)
            .setServerOption(UndertowOptions.NO_REQUEST_TIMEOUT, IDLE_MILLIS)
            .setHandler(new BlockingHandler(new ReadOnly(JobPage.SERVED_POLICY, door)))
            .build();
    try {
      undertow.start();
    } catch (RuntimeException e) {
      undertow.stop();
      if (e.getCause() instanceof BindException taken) {
        if (isTaken(taken)) {
          return Optional.empty();
        }
        throw new UiException(asked + " cannot be listened at: " + taken.getMessage(), e);
      }
      throw e;
    }
    InetSocketAddress bound = (InetSocketAddress) undertow.getListenerInfo().get(0).getAddress();
    return Optional.of(new UiServer(undertow, host, bound.getPort(), token));
  }

  private static boolean isTaken(BindException e) {
    return String.valueOf(e.getMessage()).contains("in use");
  }

  private static InetAddress address(String host) {
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw new UiException(
          "--uiHost="
              + host
              + " is no address of this machine. Give one of its names or addresses, such as"
              + " 127.0.0.1.",
          e);
    }
  }

  private static String token() {
    byte[] bytes = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** The port at which it listens. */
  public int port() {
    return port;
  }

  /** What a person opens: with the token, where there is one. */
  public String address() {
    String name = List.of("0.0.0.0", "::").contains(host) ? hostName() : host;
    return "http://"
        + (name.contains(":") ? "[" + name + "]" : name)
        + ":"
        + port
        + "/"
        + token.map(secret -> "?token=" + secret).orElse("");
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      // A machine that does not know its own name reaches itself so.
      return "127.0.0.1";
    }
  }

  /** Ends the server; what is being answered is cut off. */
  @Override
  public void close() {
    undertow.stop();
  }
}
