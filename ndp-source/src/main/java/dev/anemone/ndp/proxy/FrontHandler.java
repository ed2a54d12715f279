// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.proxy;

import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ndp.protocol.NdpHttp;
import dev.anemone.ndp.protocol.PlanRequest;
import dev.anemone.ndp.protocol.RequestJson;
import dev.anemone.ndp.protocol.SharedSecret;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * A client's connection: tells requests with a plan, those about the proxy, and all others apart.
 * One request at a time; who sends the next one before the answer is cut off.
 *
 * <p>Nothing is kept of what somebody sends who does not have the proxy's secret. The head of any
 * request, and the body of one that the proxy answers itself, have to be there in a time that does
 * not begin again with every byte.
 */
final class FrontHandler extends ChannelInboundHandlerAdapter {

  private final ProxyCore core;
  private PassThrough passing;
  private HttpRequest own;
  private Optional<SharedSecret.Promise> promise = Optional.empty();
  private ScheduledFuture<?> due;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private PlanJob job;

  FrontHandler(ProxyCore core) {
    this.core = core;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    awaitRequest(context);
    context.fireChannelActive();
  }

  private void awaitRequest(ChannelHandlerContext context) {
    Runnable hangUp =
        () -> context.close().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    long patience = core.options().limits().patience().toMillis();
    due = context.executor().schedule(hangUp, patience, TimeUnit.MILLISECONDS);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    HttpObject part = (HttpObject) message;
    if (part.decoderResult().isFailure()) {
      ReferenceCountUtil.release(part);
      refuse(
          context,
          HttpResponseStatus.BAD_REQUEST,
          "the request is no HTTP that is understood here: "
              + part.decoderResult().cause().getMessage());
      return;
    }
    if (part instanceof HttpRequest request) {
      if (passing != null || own != null || job != null) {
        ReferenceCountUtil.release(part);
        context.close().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
        return;
      }
      begin(context, request);
    }
    if (passing != null) {
      passing.send(part);
      return;
    }
    try {
      if (part instanceof HttpContent content && own != null) {
        collect(context, content);
      }
    } finally {
      ReferenceCountUtil.release(part);
    }
  }

  private void begin(ChannelHandlerContext context, HttpRequest request) {
    if (isStatus(request) || hasPlan(request)) {
      own = request;
      body.reset();
      promise = promise(request);
      if (HttpUtil.getContentLength(request, 0L) > NdpHttp.MAX_REQUEST_BYTES) {
        tooLarge(context);
      } else if (HttpUtil.is100ContinueExpected(request)) {
        context
            .writeAndFlush(
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE))
            .addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
      }
      return;
    }
    if (!WebHdfsPaths.has(request.uri())) {
      refuse(
          context,
          HttpResponseStatus.NOT_FOUND,
          "a proxy hands on requests for files, below "
              + NdpHttp.FILES
              + "; ask the data node itself for its other pages");
      return;
    }
    due.cancel(false);
    passing =
        new PassThrough(
            context.channel(),
            request,
            core.options(),
            () -> {
              passing = null;
              awaitRequest(context);
            });
    passing.connect();
  }

  private static boolean isStatus(HttpRequest request) {
    return request.uri().equals(NdpHttp.STATUS);
  }

  private static boolean hasPlan(HttpRequest request) {
    return request.headers().contains(NdpHttp.PLAN_HEADER)
        || request.headers().get(HttpHeaderNames.CONTENT_TYPE, "").startsWith(NdpHttp.PLAN_TYPE);
  }

  private void collect(ChannelHandlerContext context, HttpContent content) {
    ByteBuf bytes = content.content();
    if (body.size() + bytes.readableBytes() > NdpHttp.MAX_REQUEST_BYTES) {
      tooLarge(context);
      return;
    }
    if (isTrusted()) {
      try {
        bytes.readBytes(body, bytes.readableBytes());
      } catch (IOException e) {
        throw new IllegalStateException("memory takes bytes", e);
      }
    }
    if (content instanceof LastHttpContent) {
      due.cancel(false);
      HttpRequest request = own;
      try {
        answer(context, request);
      } catch (RequestException e) {
        refuse(context, HttpResponseStatus.valueOf(e.status()), e.getMessage());
      } catch (InvalidPlanException e) {
        refuse(context, HttpResponseStatus.BAD_REQUEST, e.getMessage());
      }
    }
  }

  private void answer(ChannelHandlerContext context, HttpRequest request) {
    String header = request.headers().get(NdpHttp.PLAN_HEADER);
    byte[] plan = header == null ? body.toByteArray() : header.getBytes(StandardCharsets.UTF_8);
    requireSecret(plan);
    if (isStatus(request)) {
      core.tellStatus(context.channel());
      return;
    }
    if (header != null && body.size() > 0) {
      throw new RequestException(
          HttpResponseStatus.BAD_REQUEST,
          "a plan stands in the header or in the body, not in both");
    }
    if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.POST)) {
      throw new RequestException(
          HttpResponseStatus.METHOD_NOT_ALLOWED, "a plan goes with GET or POST");
    }
    PlanTarget target = PlanTarget.parse(request.uri());
    PlanRequest parsed = RequestJson.read(plan);
    AnswerChannel answers =
        new AnswerChannel(context.channel(), core.options().limits().patience());
    PlanJob made = core.job(parsed, target, credentials(request), answers);
    if (core.queue().offer(made)) {
      job = made;
    } else {
      core.busy(context.channel());
    }
  }

  private Optional<SharedSecret.Promise> promise(HttpRequest request) {
    return core.options()
        .secret()
        .flatMap(
            secret ->
                secret.verify(
                    request.headers().get(NdpHttp.PROOF_HEADER, ""),
                    System.currentTimeMillis(),
                    request.uri()));
  }

  /** Whether what the request brings is wanted, as far as its head says. */
  private boolean isTrusted() {
    return core.options().secret().isEmpty() || promise.isPresent();
  }

  private void requireSecret(byte[] plan) {
    if (!isTrusted() || !promise.map(given -> given.isKeptBy(plan)).orElse(true)) {
      throw new RequestException(
          HttpResponseStatus.UNAUTHORIZED,
          "this proxy wants its token; give the client the same token file, and look whether the"
              + " clocks agree");
    }
  }

  /** What HDFS knows the caller by. */
  private static Map<String, String> credentials(HttpRequest request) {
    Map<String, String> credentials = new TreeMap<>();
    for (CharSequence name :
        new CharSequence[] {HttpHeaderNames.AUTHORIZATION, HttpHeaderNames.COOKIE}) {
      String value = request.headers().get(name);
      if (value != null) {
        credentials.put(name.toString(), value);
      }
    }
    return credentials;
  }

  private void tooLarge(ChannelHandlerContext context) {
    refuse(
        context,
        HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
        "a request has " + NdpHttp.MAX_REQUEST_BYTES + " bytes at most");
  }

  private void refuse(ChannelHandlerContext context, HttpResponseStatus status, String reason) {
    own = null;
    Replies.refuse(context.channel(), status, reason);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (passing != null) {
      passing.clientWritabilityChanged();
    } else if (job != null) {
      job.wake();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    due.cancel(false);
    if (passing != null) {
      passing.abandon();
    } else if (job != null) {
      job.abandon();
      core.queue().remove(job);
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    // A plan and a data node have deadlines of their own.
    if (event instanceof IdleStateEvent && passing == null && job == null) {
      context.close().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    // A client that breaks its connection off is no event; what fails here ends it too.
    context.close().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
  }
}
