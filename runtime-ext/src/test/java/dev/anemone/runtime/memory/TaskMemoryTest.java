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
  void whatCannotBeDoneWithoutIsRefusedWhenThePoolIsEmpty() {
    PagePool pool = new PagePool(PAGE);
    ByteBuffer page = new TaskMemory(pool, PAGE).take("the only page");
    assertThat(page).isNotNull();
    assertThatThrownBy(() -> new TaskMemory(pool, PAGE).take("a page"))
        .isInstanceOf(MemoryExhaustedException.class)
        .hasMessageContaining("a page")
        .hasMessageContaining(PAGE + " of all " + PAGE);
  }

  @Test
  void aPoolThatGrowsHasMorePages() {
    PagePool pool = new PagePool(PAGE);
    TaskMemory memory = new TaskMemory(pool, PAGE);
    assertThat(memory.tryTake()).isNotNull();
    pool.grow(2L * PAGE);
    assertThat(memory.tryTake()).isNull();
    memory.enlarge(3L * PAGE);
    assertThat(memory.tryTake()).isNotNull();
    assertThat(memory.tryTake()).isNull();
    pool.grow(PAGE);
    assertThat(pool.maxBytes()).isEqualTo(2L * PAGE);
  }

  @Test
  void aBudgetHoldsAPage() {
    PagePool pool = new PagePool(PAGE);
    assertThatThrownBy(() -> new TaskMemory(pool, PAGE - 1)).hasMessageContaining("does not hold");
    assertThatThrownBy(() -> new PagePool(PAGE - 1)).hasMessageContaining("does not hold");
  }
}
