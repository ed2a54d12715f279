// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.runtime.engine.ExecutorGroup;
import dev.anemone.runtime.engine.JobEngineOptions;
import dev.anemone.runtime.memory.DirectMemory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ContainerSizesTest {

  private static final long MB = 1 << 20;

  @Property(tries = 500)
  void partsAddUpToTheContainer(
      @ForAll @IntRange(min = ExecutorGroup.LEAST_MEMORY_MB, max = 300_000) int memoryMb) {
    for (ContainerSizes sizes :
        List.of(
            ContainerSizes.of(memoryMb, 2, 0, Optional.empty()),
            ContainerSizes.ofMaster(memoryMb, 1))) {
      assertFits(sizes, memoryMb);
    }
  }

  @Property(tries = 500)
  void whateverOffHeapMemoryIsAskedForItFitsOrIsRefused(
      @ForAll @IntRange(min = ExecutorGroup.LEAST_MEMORY_MB, max = 100_000) int memoryMb,
      @ForAll @DoubleRange(min = 0, max = 1.1) double share) {
    long offHeap = (long) (memoryMb * share * MB);
    ContainerSizes sizes;
    try {
      sizes = ContainerSizes.of(memoryMb, 1, 0, Optional.of(offHeap));
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageContainingAll(memoryMb + " MB", offHeap + " bytes");
      return;
    }
    assertThat(sizes.offHeapBytes()).isEqualTo(offHeap);
    assertFits(sizes, memoryMb);
  }

  private static void assertFits(ContainerSizes sizes, int memoryMb) {
    assertThat((long) sizes.heapMb() + sizes.directMb() + sizes.nativeMb() + sizes.overheadMb())
        .isEqualTo(memoryMb);
    assertThat(sizes.heapMb()).isGreaterThanOrEqualTo(ContainerSizes.LEAST_HEAP_MB);
    assertThat(sizes.overheadMb()).isGreaterThanOrEqualTo(Math.max(192, memoryMb * 12 / 100));
    assertThat((sizes.directMb() - 32) * MB).isGreaterThanOrEqualTo(sizes.offHeapBytes());
  }

  @Test
  void theLimitsThatAnErrorNamesAreTheLimits() {
    long most = 512 - 192 - 32 - ContainerSizes.LEAST_HEAP_MB;
    assertThat(ContainerSizes.of(512, 1, 0, Optional.of(most * MB)).heapMb())
        .isEqualTo(ContainerSizes.LEAST_HEAP_MB);
    assertThatThrownBy(() -> ContainerSizes.of(512, 1, 0, Optional.of(most * MB + 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at most " + most * MB);
    long least = JobEngineOptions.MIN_OFF_HEAP_BYTES;
    assertThat(ContainerSizes.of(512, 1, 0, Optional.of(least)).offHeapBytes()).isEqualTo(least);
    assertThatThrownBy(() -> ContainerSizes.of(512, 1, 0, Optional.of(least - 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least " + least);
  }

  @Property(tries = 500)
  void whatTasksTakeNativelyIsSetAside(
      @ForAll @IntRange(min = 1024, max = 100_000) int memoryMb,
      @ForAll @IntRange(min = 1, max = 512) int nativeMb) {
    ContainerSizes without = ContainerSizes.of(memoryMb, 1, 0, Optional.empty());
    // A part of a MB is one.
    ContainerSizes with = ContainerSizes.of(memoryMb, 1, nativeMb * MB - MB / 2, Optional.empty());

    assertFits(with, memoryMb);
    assertThat(with.nativeMb()).isEqualTo(nativeMb);
    assertThat(without.heapMb() + without.directMb() - with.heapMb() - with.directMb())
        .isEqualTo(nativeMb);
    assertThat(with.overheadMb()).isEqualTo(without.overheadMb());
  }

  @Test
  void aContainerWithMoreNativeMemoryReplacesOneWithLess() {
    ContainerSizes rows = withNative(0);
    ContainerSizes columns = withNative(400);

    assertThat(columns.replaces(rows)).isTrue();
    assertThat(columns.replaces(columns)).isTrue();
    assertThat(rows.replaces(columns)).as("too little native memory").isFalse();
    assertThat(withNative(1200).replaces(rows)).as("too little heap").isFalse();
    assertThat(columns.replaces(ContainerSizes.of(2049, 1, 0, Optional.of(256 * MB))))
        .as("another container")
        .isFalse();
    assertThat(columns.replaces(ContainerSizes.of(2048, 1, 0, Optional.of(257 * MB))))
        .as("other pages")
        .isFalse();
  }

  @Property
  void spareNativeMemoryIsAtMostAsMuchAgainAndLeavesMostOfTheHeap(
      @ForAll @IntRange(min = 512, max = 16_384) int memoryMb,
      @ForAll @IntRange(max = 4_096) int wantedMb) {
    long spare = ContainerSizes.withSpareNative(memoryMb, wantedMb * MB);
    assertThat(spare).isBetween(wantedMb * MB, 2 * (wantedMb * MB));
    if (fits(memoryMb, wantedMb * MB)) {
      int plain = ContainerSizes.of(memoryMb, 1, wantedMb * MB, Optional.empty()).heapMb();
      int left = ContainerSizes.of(memoryMb, 1, spare, Optional.empty()).heapMb();
      assertThat(left).isGreaterThanOrEqualTo(plain / 2);
    } else {
      assertThat(spare).isEqualTo(wantedMb * MB);
    }
  }

  private static boolean fits(int memoryMb, long nativeBytes) {
    try {
      ContainerSizes.of(memoryMb, 1, nativeBytes, Optional.empty());
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static ContainerSizes withNative(long megabytes) {
    return ContainerSizes.of(2048, 1, megabytes * MB, Optional.of(256 * MB));
  }

  @Test
  void aContainerWithoutRoomForNativeMemoryIsRefused() {
    assertThatThrownBy(() -> ContainerSizes.of(640, 1, 400 * MB, Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("an executor of 640 MB is too small", "400 MB to native memory");
  }

  @Property(tries = 500)
  void moreDirectMemoryIsTakenFromTheHeap(
      @ForAll @IntRange(min = 1024, max = 100_000) int memoryMb,
      @ForAll @IntRange(min = 0, max = 256) int directMb) {
    ContainerSizes without = ContainerSizes.of(memoryMb, 1, 0, Optional.empty());
    ContainerSizes with = without.withDirect(directMb * MB, "copies");

    assertFits(with, memoryMb);
    assertThat(with.directMb()).isEqualTo(without.directMb() + directMb);
    assertThat(with.offHeapBytes()).isEqualTo(without.offHeapBytes());
    assertThatThrownBy(() -> without.withDirect(without.heapMb() * MB, "copies"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("an executor of " + memoryMb + " MB", "copies");
  }

  @Test
  void aContainerWithoutRoomForAJvmIsRefused() {
    assertThatThrownBy(() -> ContainerSizes.of(300, 1, 0, Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("an executor of 300 MB is too small");
    assertThatThrownBy(() -> ContainerSizes.ofMaster(256, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("an application master of 256 MB is too small");
  }

  @Test
  void smallContainersCollectWithOneThread() {
    assertThat(ContainerSizes.of(8192, 1, 0, Optional.empty()).jvmOptions())
        .contains("-XX:+UseSerialGC");
    assertThat(ContainerSizes.of(1024, 4, 0, Optional.empty()).jvmOptions())
        .contains("-XX:+UseSerialGC");
    assertThat(ContainerSizes.of(4096, 2, 0, Optional.empty()).jvmOptions())
        .contains("-XX:+UseG1GC");
  }

  @Test
  void aJvmStartsWithTheOptionsAndKnowsItsShare() throws Exception {
    ContainerSizes sizes = ContainerSizes.of(1024, 1, 0, Optional.empty());
    assertThat(start(sizes, Share.class))
        .isEqualTo(sizes.offHeapBytes() + " of " + ((long) sizes.directMb() << 20));
  }

  @Test
  void outsideAContainerThereIsNoShare() {
    assertThatThrownBy(ContainerSizes::offHeapBytesOfThisContainer)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(ContainerSizes.OFF_HEAP_PROPERTY);
  }

  /** Runs in a JVM of its own. */
  static final class Share {

    private Share() {}

    public static void main(String[] args) throws ReflectiveOperationException {
      Object.class.getDeclaredMethod("clone").setAccessible(true);
      System.out.print(
          ContainerSizes.offHeapBytesOfThisContainer() + " of " + DirectMemory.limitBytes());
    }
  }

  private static String start(ContainerSizes sizes, Class<?> main)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    command.addAll(sizes.jvmOptions());
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output;
    try {
      output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).as(output).isZero();
    return output;
  }
}
