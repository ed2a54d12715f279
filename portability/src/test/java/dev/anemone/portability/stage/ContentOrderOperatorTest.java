// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.stage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.beam.spec.ElementCoderSpec;
import dev.anemone.runtime.memory.MemoryLedger;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.spi.ElementOperator;
import dev.anemone.runtime.spi.OperatorContext;
import dev.anemone.runtime.spi.Receiver;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.file.LocalFileStore;
import dev.anemone.runtime.table.RecordTables;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContentOrderOperatorTest {

  private static final int ELEMENTS = 1000;

  @TempDir Path directory;
  private int tables;

  /** A task of some memory: of all that it has, the operator asks for no more than this. */
  private OperatorContext task(long memoryBytes, List<Object> output) {
    RecordTables onDisk =
        new RecordTables(
            MemoryLedger.ofOneJob(new PagePool(RecordTables.LEAST_BYTES), RecordTables.LEAST_BYTES),
            new LocalFileStore(directory),
            RecordTables.LEAST_BYTES,
            1 << 20);
    return (OperatorContext)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {OperatorContext.class},
            (task, method, arguments) ->
                switch (method.getName()) {
                  case "output" -> (Receiver) output::add;
                  case "memoryBudgetBytes" -> memoryBytes;
                  case "newRecordTable" -> onDisk.begin(new BlockId("table" + tables++));
                  case "classLoader" -> getClass().getClassLoader();
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private List<Object> ordered(List<WindowedValue<String>> elements, long memoryBytes)
      throws Exception {
    List<Object> output = new ArrayList<>();
    OperatorContext task = task(memoryBytes, output);
    ElementOperator operator =
        (ElementOperator)
            new StageFunctionProvider()
                .operator(
                    BeamSpecs.toFunctionSpec(
                        StageSpec.CONTENT_ORDER,
                        new ElementCoderSpec(StringUtf8Coder.of(), GlobalWindow.Coder.INSTANCE)),
                    task);
    operator.open(task);
    for (WindowedValue<String> element : elements) {
      operator.accept(element);
    }
    assertThat(output).isEmpty();
    operator.finish();
    operator.close();
    return output;
  }

  /** In the heap, and in one that has no place for all of them. */
  @ParameterizedTest
  @CsvSource({"10000000, 0", "100000, 2"})
  void theOrderInWhichTheyComeDoesNotMatter(long memoryBytes, int tablesMade) throws Exception {
    List<WindowedValue<String>> elements =
        new ArrayList<>(
            IntStream.range(0, ELEMENTS)
                .mapToObj(number -> WindowedValues.valueInGlobalWindow("element " + number % 700))
                .toList());

    List<Object> once = ordered(elements, memoryBytes);
    Collections.shuffle(elements, new Random(5));
    List<Object> again = ordered(elements, memoryBytes);

    assertThat(again).isEqualTo(once);
    assertThat(once).containsExactlyInAnyOrderElementsOf(elements);
    assertThat(tables).isEqualTo(tablesMade);
  }
}
