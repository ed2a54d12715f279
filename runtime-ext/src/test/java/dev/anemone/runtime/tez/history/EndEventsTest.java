// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.engine.EdgeCounters;
import dev.anemone.runtime.engine.JobResult;
import dev.anemone.runtime.engine.JobState;
import dev.anemone.runtime.event.EdgesCounted;
import dev.anemone.runtime.event.JobEvent;
import dev.anemone.runtime.event.StagesPlanned;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class EndEventsTest {

  @Test
  void eachNumberOfAnEdgeIsToldByItsName() throws ReflectiveOperationException {
    EdgeCounters counters = EdgeCounters.of(LongStream.rangeClosed(1, 22).boxed().toList());
    JobResult result =
        new JobResult(
            JobState.SUCCEEDED,
            Optional.empty(),
            Optional.empty(),
            List.of(),
            Map.of("e1", counters),
            Map.of(),
            List.of());

    List<JobEvent> events =
        EndEvents.of(result, new StagesPlanned(1, List.of(), List.of()), Optional.empty(), 2);

    assertThat(events.get(0)).isInstanceOf(EdgesCounted.class);
    EdgesCounted counted = (EdgesCounted) events.get(0);
    assertThat(numbers(counted.edges().get("e1"))).isEqualTo(numbers(counters));
  }

  /** All numbers of a record and of those in it, by their names. */
  private static Map<String, Long> numbers(Object record) throws ReflectiveOperationException {
    Map<String, Long> numbers = new LinkedHashMap<>();
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      Object value = component.getAccessor().invoke(record);
      if (value instanceof Long number) {
        numbers.put(component.getName(), number);
      } else {
        numbers.putAll(numbers(value));
      }
    }
    return numbers;
  }
}
