// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.netty;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;

/**
 * The threads that move bytes, a few for all receivers of the JVM and a few for all senders. They
 * start when they are first needed, and are never shut down: tasks of many jobs share them, an idle
 * one costs a selector, and as daemons they do not keep the JVM alive.
 */
final class EventLoops {

  private static final int THREADS =
      Math.max(1, Math.min(4, Runtime.getRuntime().availableProcessors() / 2));

  private EventLoops() {}

  /** Made when the first receiver opens. */
  private static final class Receivers {
    static final EventLoopGroup GROUP = group("anemone-push-receiver");
  }

  /** Made when the first sender connects. */
  private static final class Senders {
    static final EventLoopGroup GROUP = group("anemone-push-sender");
  }

  private static EventLoopGroup group(String name) {
    return new NioEventLoopGroup(THREADS, new DefaultThreadFactory(name, true));
  }

  static EventLoopGroup receivers() {
    return Receivers.GROUP;
  }

  static EventLoopGroup senders() {
    return Senders.GROUP;
  }
}
