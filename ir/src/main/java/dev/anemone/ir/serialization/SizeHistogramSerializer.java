// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.serialization;

import com.esotericsoftware.kryo.kryo5.Kryo;
import com.esotericsoftware.kryo.kryo5.io.Input;
import com.esotericsoftware.kryo.kryo5.io.Output;
import com.esotericsoftware.kryo.kryo5.serializers.ImmutableSerializer;
import dev.anemone.ir.message.SizeHistogram;

/** Writes small sizes in few bytes: most partitions of a sample are small. */
final class SizeHistogramSerializer extends ImmutableSerializer<SizeHistogram> {

  @Override
  public void write(Kryo kryo, Output output, SizeHistogram histogram) {
    output.writeString(histogram.messageId());
    output.writeVarInt(histogram.partitions(), true);
    for (int partition = 0; partition < histogram.partitions(); partition++) {
      output.writeVarLong(histogram.bytes(partition), true);
    }
  }

  @Override
  public SizeHistogram read(Kryo kryo, Input input, Class<? extends SizeHistogram> type) {
    String messageId = input.readString();
    long[] bytes = new long[input.readVarInt(true)];
    for (int partition = 0; partition < bytes.length; partition++) {
      bytes[partition] = input.readVarLong(true);
    }
    return SizeHistogram.of(messageId, bytes);
  }
}
