// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import java.util.Map;
import java.util.WeakHashMap;
import org.apache.tez.dag.api.UserPayload;

/**
 * What payloads of Tez's stand for. A stage's plan says what each of its tasks reads, so to read it
 * takes time with their number. In the JVM of the application master all tasks of a stage have the
 * same payload, not copies of it: they share what it stands for until Tez forgets the payload.
 * Thread-safe.
 */
public final class SharedPayloads {

  /** By identity: payloads know no other equality. */
  private static final Map<UserPayload, Record> READ = new WeakHashMap<>();

  private SharedPayloads() {}

  /**
   * What {@link PlanCodec} reads from a payload; immutable.
   *
   * @throws dev.anemone.ir.serialization.PlanFormatException when the bytes are not those of a plan
   * @throws ClassCastException when they are those of another one
   */
  public static <T extends Record> T read(UserPayload payload, Class<T> type) {
    synchronized (READ) {
      return type.cast(
          READ.computeIfAbsent(payload, unread -> PlanCodec.read(unread.getPayload(), type)));
    }
  }
}
