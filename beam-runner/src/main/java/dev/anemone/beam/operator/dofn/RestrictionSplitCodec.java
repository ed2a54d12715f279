// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.dofn;

import dev.anemone.beam.coder.WindowedValueCodec;
import dev.anemone.beam.spec.DivideRestrictionsSpec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.values.WindowedValue;

/** Codes the splits that a task has made, for later attempts of it. */
final class RestrictionSplitCodec {

  private final Coder<Object> restrictions;
  private final WindowedValueCodec rests;

  @SuppressWarnings("unchecked") // the coder is the DoFn's own
  RestrictionSplitCodec(DivideRestrictionsSpec spec) {
    this.restrictions = (Coder<Object>) spec.restrictionCoder();
    this.rests = new WindowedValueCodec(spec.rests());
  }

  byte[] encode(List<RestrictionSplit> splits) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(splits.size());
    for (RestrictionSplit split : splits) {
      out.writeInt(split.pair().capacity());
      out.write(split.pair().array());
      out.writeInt(split.processed().size());
      for (Object part : split.processed()) {
        restrictions.encode(part, out);
      }
      out.writeInt(split.rests().size());
      for (WindowedValue<?> rest : split.rests()) {
        rests.encode(rest, out);
      }
    }
    return bytes.toByteArray();
  }

  List<RestrictionSplit> decode(byte[] bytes) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    List<RestrictionSplit> splits = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      byte[] pair = new byte[in.readInt()];
      in.readFully(pair);
      List<Object> processed = new ArrayList<>();
      for (int parts = in.readInt(); parts > 0; parts--) {
        processed.add(restrictions.decode(in));
      }
      List<WindowedValue<?>> leftOver = new ArrayList<>();
      for (int parts = in.readInt(); parts > 0; parts--) {
        leftOver.add((WindowedValue<?>) rests.decode(in));
      }
      splits.add(new RestrictionSplit(ByteBuffer.wrap(pair), processed, leftOver));
    }
    return splits;
  }
}
