// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class TaskMemoryTest {

  private static final int PAGE = PagePool.PAGE_BYTES;

  @Property(tries = 50)
  void partsCountAgainstTheirBudgetTheWholeAndThePool(
      @ForAll @IntRange(min = 1, max = 12) int poolPages,
      @ForAll @IntRange(min = 1, max = 12) int budgetPages,
      @ForAll @IntRange(min = 1, max = 12) int partPages,
      @ForAll long seed) {
    PagePool pool = new PagePool((long) poolPages * PAGE);
    TaskMemory whole = new TaskMemory(pool, (long) budgetPages * PAGE);
    List<TaskMemory> parts =
        List.of(whole.part((long) partPages * PAGE), whole.part((long) partPages * PAGE));
    List<List<ByteBuffer>> taken = List.of(new ArrayList<>(), new ArrayList<>());
    Random random = new Random(seed);
    long most = 0;
    for (int step = 0; step < 200; step++) {
      int which = random.nextInt(2);
      List<ByteBuffer> pages = taken.get(which);
      int all = taken.get(0).size() + taken.get(1).size();
      if (random.nextInt(3) > 0) {
        ByteBuffer page = parts.get(which).tryTake();
        boolean room = pages.size() < partPages && all < budgetPages && all < poolPages;
        assertThat(page != null).isEqualTo(room);
        if (page != null) {
          assertThat(page.remaining()).isEqualTo(PAGE);
          pages.add(page);
        }
      } else if (!pages.isEmpty()) {
        parts.get(which).giveBack(pages.remove(pages.size() - 1).position(5));
      }
      long used = (long) (taken.get(0).size() + taken.get(1).size()) * PAGE;
      most = Math.max(most, used);
      assertThat(whole.usedBytes()).isEqualTo(used);
      assertThat(pool.takenBytes()).isEqualTo(used);
    }
    assertThat(whole.peakBytes()).isEqualTo(most);
    assertThat(pool.peakBytes()).isEqualTo(most);
  }

  @Test
  void whatCannotBeDoneWithoutIsRefusedWhenTheBudgetIsUsedUp() throws Exception {
    TaskMemory memory = new TaskMemory(new PagePool(4L * PAGE), PAGE);
    ByteBuffer page = memory.take("the first page");
    assertThatThrownBy(() -> memory.take("a second page"))
        .isInstanceOf(MemoryExhaustedException.class)
        .hasMessageContaining("a second page")
        .hasMessageContaining(PAGE + " bytes");
    assertThatThrownBy(memory::close).hasMessageContaining("not given back");
    memory.giveBack(page);
    memory.close();
  }

  @Test
  void whatCannotBeDoneWithoutWaitsForAPageOfOthers() throws Exception {
    PagePool pool = new PagePool(PAGE);
    TaskMemory other = new TaskMemory(pool, PAGE);
    ByteBuffer page = other.take("the only page");
    TaskMemory memory = new TaskMemory(pool, PAGE);
    Thread waiting = Thread.currentThread();
    Thread giver =
        new Thread(
            () -> {
              while (waiting.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
              }
              other.giveBack(page);
            });
    giver.start();
    assertThat(memory.take("a page")).isSameAs(page);
    giver.join();
  }

  @Test
  void aBudgetHoldsAPage() {
    PagePool pool = new PagePool(PAGE);
    assertThatThrownBy(() -> new TaskMemory(pool, PAGE - 1)).hasMessageContaining("does not hold");
    assertThatThrownBy(() -> new PagePool(PAGE - 1)).hasMessageContaining("does not hold");
  }
}
