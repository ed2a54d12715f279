// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.proxy;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * One request without a plan, handed on to the data node as it is, and its response back. Neither
 * way is read faster than the other side takes it. All in the event loop of the client's
 * connection.
 *
 * <p>A {@code Location} that points to the data node itself points to the proxy afterwards, so that
 * the client stays with it; all others are left alone.
 */
final class PassThrough extends ChannelInboundHandlerAdapter {

  private final Channel client;
  private final DataNodeWay dataNode;
  private final ProxyTls tls;
  private final Runnable done;
  private final String ownAddress;
  private final Queue<HttpObject> waiting = new ArrayDeque<>();
  private Channel backend;
  private boolean stays;
  private boolean requestEnded;
  private boolean answered;
  private boolean interim;
  private boolean ended;

  /**
   * @param options say where the data node is
   * @param done called when the client may send another request
   */
  PassThrough(Channel client, HttpRequest request, ProxyOptions options, Runnable done) {
    this.client = client;
    this.dataNode = options.wayToDataNode();
    this.tls = options.tls();
    this.done = done;
    this.ownAddress = request.headers().get(HttpHeaderNames.HOST, "");
    this.stays = HttpUtil.isKeepAlive(request);
  }

  /** Connects to the data node; what {@link #send} gets before is kept, and is little. */
  void connect() {
    client.config().setAutoRead(false);
    ChannelFuture connection =
        dataNode.connect(
            client.eventLoop(),
            new IdleStateHandler(0, 0, dataNode.patience().toMillis(), TimeUnit.MILLISECONDS),
            this);
    backend = connection.channel();
    connection.addListener(
        (ChannelFutureListener)
            connected -> {
              if (connected.isSuccess()) {
                waiting.forEach(this::write);
                waiting.clear();
                readOn();
              } else {
                fail("the data node cannot be reached: " + connected.cause().getMessage());
              }
            });
  }

  /** Hands on a part of the request. */
  void send(HttpObject part) {
    requestEnded |= part instanceof LastHttpContent;
    if (ended) {
      ReferenceCountUtil.release(part);
    } else if (backend.isActive()) {
      write(part);
      readOn();
    } else {
      waiting.add(part);
    }
  }

  private void write(HttpObject part) {
    backend.writeAndFlush(part).addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
  }

  private void readOn() {
    client.config().setAutoRead(backend.isWritable());
  }

  /** Says that the client takes more, or not. */
  void clientWritabilityChanged() {
    backend.config().setAutoRead(client.isWritable());
  }

  /** Ends it, since the client went away. */
  void abandon() {
    end();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    readOn();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof HttpResponse response) {
      if (response.decoderResult().isFailure()) {
        ReferenceCountUtil.release(message);
        fail("the data node's answer is no HTTP");
        return;
      }
      interim = response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
      if (!interim) {
        answered = true;
        stays &= HttpUtil.isKeepAlive(response);
        redirectHere(response);
      }
    }
    client.writeAndFlush(message).addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    if (message instanceof LastHttpContent && !interim) {
      end();
      // What is left of the request would be taken for the next one.
      if (stays && requestEnded) {
        client.config().setAutoRead(true);
        done.run();
      } else {
        client.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
      }
    } else if (!client.isWritable()) {
      backend.config().setAutoRead(false);
    }
  }

  private void redirectHere(HttpResponse response) {
    String own = dataNode.root();
    String location = response.headers().get(HttpHeaderNames.LOCATION, "");
    if (location.startsWith(own) && !ownAddress.isEmpty()) {
      response
          .headers()
          .set(
              HttpHeaderNames.LOCATION,
              tls.clientScheme() + "://" + ownAddress + "/" + location.substring(own.length()));
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    fail("the data node closed the connection");
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof IdleStateEvent) {
      fail("the data node did nothing for " + dataNode.patience().toMillis() + " ms");
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    fail("the connection to the data node broke: " + cause.getMessage());
  }

  /** Says why there is no answer; in the middle of one, only the end of the connection can. */
  private void fail(String reason) {
    if (ended) {
      return;
    }
    end();
    if (answered) {
      client.close().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    } else {
      Replies.refuse(client, HttpResponseStatus.BAD_GATEWAY, reason);
    }
  }

  private void end() {
    ended = true;
    waiting.forEach(ReferenceCountUtil::release);
    waiting.clear();
    backend.close().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
  }
}
