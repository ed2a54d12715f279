// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import dev.anemone.beam.sideinput.SideInputContents;
import dev.anemone.beam.sideinput.SideInputSource;
import dev.anemone.runtime.spi.OperatorContext;
import org.apache.beam.sdk.transforms.Materializations;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowingStrategy;
import org.apache.beam.vendor.guava.v32_1_2_jre.com.google.common.collect.Iterables;

/**
 * The exchanges that are an operator's side inputs. Each is read when it is first asked for, once
 * for all tasks of the job in this process, into the heap or to disk. Used by one thread.
 */
final class BroadcastBatches {

  private final OperatorContext context;

  /** Those of the operator that has this context. */
  BroadcastBatches(OperatorContext context) {
    this.context = context;
  }

  /** All rows of an exchange, as {@link ExchangedBatch#rows}. */
  Iterable<byte[]> of(String exchange) throws Exception {
    SideInputContents contents =
        context.shared(
            "columnar-broadcast " + context.vertexId() + " " + exchange,
            () ->
                new SideInputSource(
                        exchange,
                        Materializations.ITERABLE_MATERIALIZATION_URN,
                        ExchangeForm.CODER,
                        WindowingStrategy.globalDefault())
                    .read(context));
    @SuppressWarnings("unchecked") // so it was read
    Materializations.IterableView<KV<Integer, ExchangedBatch>> view =
        (Materializations.IterableView<KV<Integer, ExchangedBatch>>)
            contents.in(GlobalWindow.INSTANCE);
    return Iterables.transform(view.get(), batch -> batch.getValue().rows());
  }
}
