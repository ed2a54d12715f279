// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.stage;

import dev.anemone.beam.spec.ElementCoderSpec;
import dev.anemone.ir.IREdge;
import dev.anemone.runtime.spi.ElementOperator;
import dev.anemone.runtime.spi.OperatorContext;
import dev.anemone.runtime.spi.Receiver;
import dev.anemone.runtime.spi.RecordCursor;
import dev.anemone.runtime.spi.RecordTable;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;

/**
 * Hands elements on in the order of their bytes when all are there, so that they can be dealt out
 * by their place in it: every attempt of the task deals the same elements alike, in whatever order
 * a harness returns them. Keeps them encoded, in the heap up to a part of the task's memory, and
 * beyond it in a table on disk. Used by the task's thread.
 */
final class ContentOrderOperator implements ElementOperator {

  /** The part of the task's memory that may hold elements. */
  private static final int MEMORY_SHARES = 8;

  /** What an array has on the heap beside its bytes, with its place in a list. */
  private static final int ARRAY_BYTES = 24;

  private final Coder<WindowedValue<Object>> coder;
  private final ByteArrayOutputStream encoded = new ByteArrayOutputStream();
  private List<byte[]> elements = new ArrayList<>();
  private long heapBytes;
  private long heapLimitBytes;
  private OperatorContext context;
  private Receiver output;
  private RecordTable.Builder builder;

  @SuppressWarnings("unchecked") // the elements of the edge are those of its coder
  ContentOrderOperator(ElementCoderSpec spec) {
    coder = WindowedValues.getFullCoder((Coder<Object>) spec.valueCoder(), spec.windowCoder());
  }

  @Override
  public void open(OperatorContext operatorContext) {
    context = operatorContext;
    output = context.output(IREdge.MAIN);
    heapLimitBytes = context.memoryBudgetBytes() / MEMORY_SHARES;
  }

  @Override
  @SuppressWarnings("unchecked") // as above
  public void accept(Object element) throws Exception {
    encoded.reset();
    coder.encode((WindowedValue<Object>) element, encoded);
    byte[] bytes = encoded.toByteArray();
    if (builder != null) {
      write(bytes);
      return;
    }
    elements.add(bytes);
    heapBytes += bytes.length + ARRAY_BYTES;
    if (heapBytes > heapLimitBytes) {
      builder = context.newRecordTable();
      for (byte[] kept : elements) {
        write(kept);
      }
      elements = List.of();
    }
  }

  private void write(byte[] element) throws IOException {
    builder.key().write(element);
    builder.emit();
  }

  @Override
  public void finish() throws Exception {
    if (builder == null) {
      elements.sort(Arrays::compareUnsigned);
      for (byte[] element : elements) {
        output.accept(coder.decode(new ByteArrayInputStream(element)));
      }
      return;
    }
    try (RecordTable table = builder.build()) {
      RecordCursor sorted = table.records();
      while (sorted.next()) {
        output.accept(coder.decode(sorted.key()));
      }
    }
  }

  @Override
  public void close() throws IOException {
    if (builder != null) {
      builder.close();
    }
  }
}
