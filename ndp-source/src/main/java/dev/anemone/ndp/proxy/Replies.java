// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.proxy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;

/** Short answers of the proxy itself, after which it closes the connection. */
final class Replies {

  private Replies() {}

  static void json(Channel client, HttpResponseStatus status, byte[] json) {
    send(client, response(status, json));
  }

  static void refuse(Channel client, int status, String reason) {
    refuse(client, HttpResponseStatus.valueOf(status), reason);
  }

  static void refuse(Channel client, HttpResponseStatus status, String reason) {
    json(client, status, text(reason));
  }

  /** Says that there is no room, and when to ask again. */
  static void busy(Channel client, int queued, long retrySeconds) {
    byte[] json =
        JsonNodeFactory.instance
            .objectNode()
            .put("reason", "busy: " + queued + " plans wait, and no more may")
            .put("queued", queued)
            .toString()
            .getBytes(StandardCharsets.UTF_8);
    FullHttpResponse response = response(HttpResponseStatus.SERVICE_UNAVAILABLE, json);
    response.headers().set(HttpHeaderNames.RETRY_AFTER, retrySeconds);
    send(client, response);
  }

  private static byte[] text(String reason) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("reason", reason)
        .toString()
        .getBytes(StandardCharsets.UTF_8);
  }

  private static FullHttpResponse response(HttpResponseStatus status, byte[] json) {
    FullHttpResponse response =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(json));
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON)
        .set(HttpHeaderNames.CONTENT_LENGTH, json.length)
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    return response;
  }

  private static void send(Channel client, FullHttpResponse response) {
    client.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
  }
}
