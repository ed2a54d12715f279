// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.dofn;

import dev.anemone.beam.coder.WindowedValueCodec;
import dev.anemone.beam.spec.ElementCoderSpec;
import dev.anemone.ir.IREdge;
import dev.anemone.runtime.spi.AgreedFile;
import dev.anemone.runtime.spi.ElementOperator;
import dev.anemone.runtime.spi.OperatorContext;
import dev.anemone.runtime.spi.Receiver;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * Hands on the elements that the first attempt of its task to come to the end of its input had got;
 * what another one gets is dropped. So the steps after it see the same elements in the same order
 * in every attempt, also when the steps above make others as they run again. This is what {@link
 * org.apache.beam.sdk.transforms.DoFn.RequiresStableInput} asks for.
 *
 * <p>The elements lie in an {@link AgreedFile}, each after a byte that is 1, with a 0 at the end.
 */
public final class StableInputOperator implements ElementOperator {

  private static final int ELEMENT = 1;
  private static final int END = 0;

  private final WindowedValueCodec codec;
  private AgreedFile file;
  private Receiver output;
  private Optional<AgreedFile.Draft> draft = Optional.empty();

  public StableInputOperator(ElementCoderSpec spec) {
    this.codec = new WindowedValueCodec(spec);
  }

  @Override
  public void open(OperatorContext context) throws IOException {
    output = context.output(IREdge.MAIN);
    file = context.agreedFile(context.vertexId());
    Optional<InputStream> agreed = file.open();
    if (agreed.isPresent()) {
      agreed.get().close();
    } else {
      draft = Optional.of(file.begin());
    }
  }

  @Override
  public void accept(Object element) throws IOException {
    if (draft.isPresent()) {
      draft.get().out().write(ELEMENT);
      codec.encode(element, draft.get().out());
    }
  }

  @Override
  public void finish() throws Exception {
    if (draft.isPresent()) {
      draft.get().out().write(END);
      draft.get().publish();
    }
    InputStream agreed =
        file.open().orElseThrow(() -> new IOException("what was agreed on is gone: " + file));
    try (InputStream in = new BufferedInputStream(agreed)) {
      int next = in.read();
      while (next == ELEMENT) {
        output.accept(codec.decode(in));
        next = in.read();
      }
      if (next != END) {
        throw new IOException("what was agreed on has no end: " + file);
      }
    }
  }

  @Override
  public void close() throws IOException {
    if (draft.isPresent()) {
      draft.get().close();
    }
  }
}
