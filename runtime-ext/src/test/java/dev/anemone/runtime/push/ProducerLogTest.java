// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.push.ProducerLog.Admission;
import dev.anemone.runtime.push.protocol.PushProtocol;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pages into which the network writes by itself stay until it has ended, whatever happens. */
class ProducerLogTest {

  private static final int PAGE = PagePool.PAGE_BYTES;

  private final TaskMemory memory = new TaskMemory(new PagePool(8L * PAGE), 8L * PAGE);
  private final ProducerLog log = new ProducerLog(new PageReserve(memory));

  @AfterEach
  void allIsGivenBack() {
    log.close();
    memory.close();
  }

  private static ArrivingBatch batch(int number, long payloadBytes) {
    ArrivingBatch batch = new ArrivingBatch();
    batch.readHeader(
        Unpooled.buffer().writeByte(PushProtocol.BATCH).writeInt(number).writeInt(1), number - 1);
    batch.measure(table(payloadBytes));
    return batch;
  }

  /** Of one entry. */
  private static ByteBuf table(long payloadBytes) {
    return Unpooled.buffer().writeInt(0).writeInt((int) payloadBytes).writeLong(0);
  }

  private void complete(ArrivingBatch batch) {
    ByteBuf table = table(batch.payloadBytes());
    assertThat(log.begin(batch)).isEqualTo(Admission.BEGUN);
    assertThat(log.append(batch, table, table.readableBytes())).isTrue();
    assertThat(log.complete(batch)).isTrue();
  }

  private void pin(ArrivingBatch batch) {
    assertThat(log.begin(batch)).isEqualTo(Admission.BEGUN);
    assertThat(log.pin(batch)).isTrue();
  }

  private static BitSet only(int number) {
    BitSet numbers = new BitSet();
    numbers.set(number);
    return numbers;
  }

  @Test
  void aPageThatIsSharedWithABatchOnItsWayStays() throws Exception {
    complete(batch(0, 1_000));
    ArrivingBatch late = batch(1, PAGE);
    pin(late);
    PushedBatches taken = log.take(only(0), () -> {}).orElseThrow();
    assertThat(memory.usedBytes()).isEqualTo(2L * PAGE);
    taken.close();
    assertThat(memory.usedBytes()).as("what is still read into").isEqualTo(2L * PAGE);
    assertThat(log.complete(late)).isFalse();
    assertThat(memory.usedBytes()).isZero();
  }

  @Test
  void whatIsTakenOutlivesABatchThatIsAbandoned() throws Exception {
    complete(batch(0, 1_000));
    pin(batch(1, PAGE));
    try (PushedBatches taken = log.take(only(0), () -> {}).orElseThrow()) {
      log.abandon();
      assertThat(memory.usedBytes()).isEqualTo(PAGE);
      taken.forEach((partition, bytes, raw) -> assertThat(bytes.remaining()).isEqualTo(1_000));
    }
    assertThat(memory.usedBytes()).isZero();
  }

  @Test
  void whatIsDroppedStaysAsLongAsItIsReadInto() {
    ArrivingBatch first = batch(0, 3L * PAGE);
    ArrivingBatch second = batch(1, 1_000);
    pin(first);
    pin(second);
    log.close();
    assertThat(memory.usedBytes()).isEqualTo(4L * PAGE);
    assertThat(log.complete(first)).isFalse();
    assertThat(memory.usedBytes()).isEqualTo(PAGE);
    log.abandon();
    assertThat(memory.usedBytes()).isZero();
    assertThat(log.begin(batch(2, 1))).isEqualTo(Admission.CLOSED);
  }

  @Test
  void anAbandonedBatchLeavesItsPagesToOthers() {
    complete(batch(0, 1_000));
    pin(batch(1, 5L * PAGE));
    log.abandon();
    assertThat(memory.usedBytes()).isEqualTo(PAGE);
    assertThat(log.take(only(1), () -> {})).isEmpty();
  }

  @Test
  void takesWhatIsCompleteAmongBatchesThatAreNot() throws Exception {
    complete(batch(0, PAGE));
    ArrivingBatch late = batch(1, 100);
    pin(late);
    complete(batch(3, 2_000));
    BitSet numbers = only(0);
    numbers.set(3);
    List<Integer> lengths = new ArrayList<>();
    try (PushedBatches taken = log.take(numbers, () -> {}).orElseThrow()) {
      assertThat(taken.bytes()).isEqualTo(PAGE + 2_000L);
      taken.forEach((partition, bytes, raw) -> lengths.add(bytes.remaining()));
    }
    assertThat(lengths.stream().mapToInt(Integer::intValue).sum()).isEqualTo(PAGE + 2_000);
    assertThat(log.complete(late)).isFalse();
  }

  @Test
  void doesNotTakeABatchThatIsNotComplete() {
    ArrivingBatch late = batch(0, 100);
    pin(late);
    complete(batch(1, 2_000));
    assertThat(log.take(only(0), () -> {})).isEmpty();
    assertThat(log.complete(late)).isFalse();
  }

  @Test
  void whatIsSpilledCountsWithTheRestOrNotAtAll() throws Exception {
    complete(batch(0, 1_000));
    log.spill(() -> {}).orElseThrow().close();
    assertThat(memory.usedBytes()).isZero();
    complete(batch(1, 2_000));
    BitSet both = only(0);
    both.set(1);
    try (PushedBatches rest = log.take(both, () -> {}).orElseThrow()) {
      assertThat(rest.bytes()).isEqualTo(2_000);
    }
  }

  @Test
  void whoDoesNotNameWhatIsSpilledGetsNothing() {
    complete(batch(0, 1_000));
    log.spill(() -> {}).orElseThrow().close();
    complete(batch(1, 2_000));
    assertThat(log.take(only(1), () -> {})).isEmpty();
    assertThat(memory.usedBytes()).isZero();
  }

  @Test
  void nothingIsSpilledWhileABatchIsOnItsWayNorWhenTheConnectionHasEnded() {
    complete(batch(0, 1_000));
    pin(batch(1, 1_000));
    assertThat(log.spill(() -> {})).isEmpty();
    log.abandon();
    assertThat(log.spill(() -> {})).isEmpty();
  }
}
