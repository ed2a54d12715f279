// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import dev.anemone.ir.serialization.PlanFormatException;
import dev.anemone.ir.serialization.PlanSerializer;
import dev.anemone.runtime.engine.Redraw;
import dev.anemone.runtime.event.RangesRedrawn;
import dev.anemone.runtime.sampling.MeasuredSizes;
import dev.anemone.runtime.sampling.RunTimePlan;
import dev.anemone.runtime.stage.Channel;
import dev.anemone.runtime.stage.DiscardableOutput;
import dev.anemone.runtime.stage.Link;
import dev.anemone.runtime.stage.LinkRanges;
import dev.anemone.runtime.stage.Redrawing;
import dev.anemone.runtime.stage.Stage;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.stage.StageSample;
import dev.anemone.runtime.stage.TaskPlan;
import dev.anemone.runtime.stage.TaskWaits;
import dev.anemone.runtime.stage.Transfer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * What the engine sends to its plug-ins, as bytes: the plans of stages and of their scheduling, and
 * where aggregation tasks listen.
 */
public final class PlanCodec {

  /** In this order they are numbered on the wire. */
  private static final List<Class<?>> CLASSES =
      List.of(
          StagePlan.class,
          Stage.class,
          Link.class,
          Channel.class,
          Transfer.class,
          byte[].class,
          StageSchedule.class,
          StageSchedule.Inputs.class,
          ReceiverAnnouncement.class,
          ReceiverAnnouncements.class,
          StageSample.class,
          StageSample.MeasuredLink.class,
          Redrawing.class,
          Redrawing.MeasuredShuffle.class,
          Redrawing.Reading.class,
          MeasuredSizes.class,
          RunTimePlan.class,
          DrawnRanges.class,
          PlanFile.Address.class,
          StagePayload.class,
          TaskPlan.class,
          LinkRanges.class,
          Redraw.class,
          Redraw.Shuffle.class,
          StagePlan.Job.class,
          TaskWaits.class,
          DiscardableOutput.class,
          ConsumedOutput.class,
          ConsumedOutputs.class,
          RangesRedrawn.HotPartition.class,
          OutputAnnouncement.class,
          GatheredAnnouncements.class);

  private static final PlanSerializer SERIALIZER =
      new PlanSerializer(
          kryo -> {
            for (int i = 0; i < CLASSES.size(); i++) {
              kryo.register(CLASSES.get(i), PlanSerializer.FIRST_FREE_ID + i);
            }
          });

  private PlanCodec() {}

  public static byte[] write(Record plan) {
    return SERIALIZER.write(plan);
  }

  /** The same, compressed, for what says much the same many times. */
  public static byte[] writeCompressed(Record plan) {
    try {
      return Deflated.deflate(write(plan), Deflated.NO_DICTIONARY);
    } catch (IOException e) {
      throw new UncheckedIOException("an array of bytes takes everything", e);
    }
  }

  /**
   * What {@link #writeCompressed} wrote; the buffer's position does not change.
   *
   * @throws UncheckedIOException when the bytes are not compressed so
   * @throws PlanFormatException when they are not those of such a plan
   */
  public static <T extends Record> T readCompressed(ByteBuffer buffer, Class<T> type) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    try {
      return SERIALIZER.read(Deflated.inflate(bytes, Deflated.NO_DICTIONARY), type);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot read a " + type.getName() + ": its bytes are not compressed as such", e);
    }
  }

  /**
   * The plan that was written; the buffer's position does not change.
   *
   * @throws PlanFormatException when the bytes are not those of such a plan
   */
  public static <T extends Record> T read(ByteBuffer buffer, Class<T> type) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return SERIALIZER.read(bytes, type);
  }
}
