// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.TierKind;
import dev.anemone.rdma.pool.TierOptions;
import dev.anemone.rdma.pool.server.PoolServer;
import dev.anemone.rdma.pool.server.PoolServerOptions;
import dev.anemone.rdma.tcp.TcpTransportProvider;
import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.MessageHandler;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a server answers to those who do not, or not yet, have proved that they have the token. */
class HandshakeTest {

  private static final AccessToken TOKEN = AccessToken.of("secret");
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final BlockingQueue<Reply> replies = new LinkedBlockingQueue<>();
  private Transport transport;
  private PoolServer server;
  private Connection connection;
  private String pool;

  @BeforeEach
  void connect() throws IOException {
    ServerAddress address;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      address = new ServerAddress("127.0.0.1", socket.getLocalPort());
    }
    pool = List.of(address).toString();
    transport = new TcpTransportProvider().open();
    server =
        PoolServer.start(
            transport,
            new PoolServerOptions(
                address,
                List.of(address),
                List.of(TierOptions.dram(1 << 20)),
                1 << 12,
                PATIENCE,
                PATIENCE,
                TOKEN));
    Messages messages = new Messages(Messages.MAX_BYTES);
    MessageHandler handler =
        new MessageHandler() {
          @Override
          public void onMessage(Connection from, ByteBuffer message) {
            try {
              messages.receive(
                  message, (call, bytes) -> replies.add(RecordCodec.decode(Reply.class, bytes)));
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          }

          @Override
          public void onClosed(Connection from, IOException cause) {
            replies.add(new Reply.Done());
          }
        };
    connection = transport.connect(address.socketAddress(), handler, PATIENCE);
  }

  @AfterEach
  void close() {
    connection.close();
    server.close();
    transport.close();
  }

  @Test
  void nothingIsAnsweredBeforeTheToken() throws Exception {
    refused(ask(new Request.Status()), "before the token");
    refused(ask(new Request.Allocate(TierKind.DRAM, TierKind.FILE)), "before the token");
    refused(ask(new Request.Proof("00")), "before the token");
    hello();
    refused(ask(new Request.Stop("")), "before the token");
  }

  @Test
  void aWrongProofIsRefused() throws Exception {
    Reply.Challenge challenge = hello();
    String wrong = AccessToken.of("other").proof(AccessToken.Side.CLIENT, "ab", challenge.nonce());
    refused(ask(new Request.Proof(wrong)), "token");
    refused(ask(new Request.Status()), "before the token");
  }

  @Test
  void theServersOwnProofIsNoClients() throws Exception {
    Reply.Challenge challenge = hello();
    assertThat(TOKEN.verify(challenge.proof(), AccessToken.Side.SERVER, "ab", challenge.nonce()))
        .isTrue();

    refused(ask(new Request.Proof(challenge.proof())), "token");
  }

  @Test
  void clientsCannotAskWhatOnlyServersMay() throws Exception {
    Reply.Challenge challenge = hello();
    String proof = TOKEN.proof(AccessToken.Side.CLIENT, "ab", challenge.nonce());
    assertThat(ask(new Request.Proof(proof))).isInstanceOf(Reply.Welcome.class);

    assertThat(ask(new Request.Exist(List.of())))
        .isInstanceOfSatisfying(
            Reply.Refused.class, refused -> assertThat(refused.message()).contains("Exist"));
  }

  @Test
  void whoSpeaksSomethingElseIsHungUpOn() throws Exception {
    connection.send(ByteBuffer.wrap(new byte[] {1, 2, 3}), failure -> {});

    assertThat(replies.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isInstanceOf(Reply.Done.class);
    assertThat(connection.isOpen()).isFalse();
  }

  @Test
  void whoAsksAgainAndAgainIsHungUpOn() throws Exception {
    for (int i = 0; i < 8; i++) {
      refused(ask(new Request.Status()), "before the token");
    }

    assertThat(ask(new Request.Status())).isInstanceOf(Reply.Done.class);
    assertThat(connection.isOpen()).isFalse();
  }

  private Reply.Challenge hello() throws Exception {
    Reply reply =
        ask(
            new Request.Hello(
                Request.VERSION,
                PoolDigest.of(pool),
                UUID.randomUUID(),
                -1,
                0,
                ProcessIdentity.UNKNOWN,
                "ab"));
    return (Reply.Challenge) reply;
  }

  private Reply ask(Request request) throws Exception {
    Messages.send(connection, 1, Request.class, request, failure -> {});
    Reply reply = replies.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(reply).isNotNull();
    return reply;
  }

  private static void refused(Reply reply, String part) {
    assertThat(reply)
        .isInstanceOfSatisfying(
            Reply.Refused.class,
            refused -> {
              assertThat(refused.reason()).isEqualTo(Refusal.ACCESS);
              assertThat(refused.message()).contains(part);
            });
  }
}
