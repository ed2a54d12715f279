// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.serialization;

import static dev.anemone.ir.testing.SampleDags.annotatedWordCount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.testing.ArbitraryDags;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class IRSerializerTest {

  private static final IRSerializer SERIALIZER = new IRSerializer();

  @Provide
  Arbitrary<IRDag> edited() {
    return ArbitraryDags.edited();
  }

  @Property
  void aGraphIsReadAsItWasWritten(@ForAll("edited") IRDag dag) {
    byte[] bytes = SERIALIZER.write(dag);
    IRDag read = SERIALIZER.read(bytes);

    assertThat(read).isEqualTo(dag);
    assertThat(read.vertices()).containsExactlyElementsOf(dag.vertices());
    assertThat(read.edges()).containsExactlyElementsOf(dag.edges());
    assertThat(SERIALIZER.write(read)).isEqualTo(bytes);
    assertThat(new IRSerializer().write(dag)).isEqualTo(bytes);
  }

  @Property(tries = 50)
  void aGraphThatWasCutOffIsRefused(@ForAll("edited") IRDag dag, @ForAll Random random) {
    byte[] bytes = SERIALIZER.write(dag);
    byte[] cut = Arrays.copyOf(bytes, random.nextInt(bytes.length));

    assertThatThrownBy(() -> SERIALIZER.read(cut))
        .isInstanceOf(PlanFormatException.class)
        .hasMessageContaining("cannot read a dev.anemone.ir.IRDag from " + cut.length + " bytes");
  }

  @Property(tries = 200)
  void aGraphOfWhichOneBitWasChangedIsRefused(@ForAll("edited") IRDag dag, @ForAll Random random) {
    byte[] bytes = SERIALIZER.write(dag);
    bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));

    assertThatThrownBy(() -> SERIALIZER.read(bytes)).isInstanceOf(PlanFormatException.class);
  }

  @Test
  void saysWhatIsWrongWithTheBytes() {
    byte[] bytes = SERIALIZER.write(annotatedWordCount());
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
    byte[] changed = bytes.clone();
    changed[bytes.length - 1]++;
    byte[] version = bytes.clone();
    version[4]++;

    assertThatThrownBy(() -> SERIALIZER.read(new byte[0])).hasMessageContaining("the header alone");
    assertThatThrownBy(() -> SERIALIZER.read(new byte[100])).hasMessageContaining("do not begin");
    assertThatThrownBy(() -> SERIALIZER.read(version)).hasMessageContaining("format version 2");
    assertThatThrownBy(() -> SERIALIZER.read(longer))
        .hasMessageContaining("there should be " + bytes.length + ";");
    assertThatThrownBy(() -> SERIALIZER.read(changed))
        .hasMessageContaining("checksum does not match");
  }

  @Test
  void aFunctionIsWrittenOnce() {
    IRDag dag = annotatedWordCount();
    int once = SERIALIZER.write(dag).length;
    IRDag more =
        dag.toBuilder()
            .add(
                new IREdge(
                    "again",
                    "split",
                    "main",
                    "write",
                    "side",
                    dag.edge("lines").elementCoder(),
                    dag.edge("lines").properties()))
            .build();

    assertThat(SERIALIZER.write(more).length - once).isLessThan(50);
  }

  @Test
  void threadsDoNotDisturbEachOther() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<IRDag>> results = new ArrayList<>();
      Callable<IRDag> task = () -> SERIALIZER.read(SERIALIZER.write(annotatedWordCount()));
      for (int i = 0; i < 200; i++) {
        results.add(threads.submit(task));
      }
      for (Future<IRDag> result : results) {
        assertThat(result.get(30, TimeUnit.SECONDS)).isEqualTo(annotatedWordCount());
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
