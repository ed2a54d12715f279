// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.terasort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.examples.files.Location;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.DoFn.OutputReceiver;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.OutputBuilder;
import org.apache.beam.sdk.values.WindowedValues;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From a range to its file: tasks that are tried again or twice, and records that do not fit. */
class SortedRangesTest {
  private final List<byte[]> records = Records.generated(1_000);

  @TempDir private Path directory;
  private PartFiles parts;

  @BeforeEach
  void parts() {
    PipelineOptionsFactory.create();
    parts = PartFiles.in(new Location("--output", directory.toString()));
  }

  @Test
  void nothingHasItsNameBeforeItIsPublished() throws IOException {
    SortedRange range = sort(3, 1_000);

    assertThat(range.records()).isEqualTo(1_000);
    assertThat(Records.names(directory))
        .hasSize(1)
        .allMatch(name -> name.startsWith(".part-00003-"));
    assertThat(parts.finished()).isEmpty();

    assertThat(publish(1_000, range)).containsExactly(directory.resolve("part-00003").toString());
    assertThat(Records.read(directory)).isEqualTo(Records.joined(Records.sorted(records)));
  }

  @Test
  void anAttemptThatDoesNotCountLeavesNothing() throws IOException {
    sort(0, 1_000);
    SortedRange counts = sort(0, 1_000);

    publish(1_000, counts);
    parts.deleteUnfinished();

    assertThat(Records.names(directory)).containsExactly("part-00000");
  }

  @Test
  void publishingCanBeTriedAgain() throws IOException {
    SortedRange first = sort(0, 1_000);
    SortedRange second = sort(1, 1_000);
    publish(1_000, first);

    assertThat(publish(2_000, first, second)).hasSize(2);
    assertThat(Records.names(directory)).containsExactly("part-00000", "part-00001");
  }

  @Test
  void aFileThatIsGoneIsAnError() throws IOException {
    SortedRange range = sort(0, 1_000);
    Files.delete(Path.of(range.file().toString()));

    assertThatThrownBy(() -> publish(1_000, range))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("could not be renamed");
  }

  @Test
  void lostRecordsAreAnErrorAndNothingIsPublished() throws IOException {
    SortedRange range = sort(0, 1_000);

    assertThatThrownBy(() -> publish(1_001, range))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("1001")
        .hasMessageContaining("1000");
    assertThat(parts.finished()).isEmpty();
  }

  @Test
  void aRangeThatIsTooLargeIsNamed() {
    assertThatThrownBy(() -> sort(5, 999))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Range 5 has more than the 999 records")
        .hasMessageContaining("--ranges=");
  }

  @Test
  void abandoningDeletesWhatIsFinishedToo() throws IOException {
    publish(1_000, sort(0, 1_000));
    sort(1, 1_000);
    Files.writeString(directory.resolve("notes"), "of the user");

    IOException reason = new IOException("the disk is full");
    parts.abandon(reason);

    assertThat(Records.names(directory)).containsExactly("notes");
    assertThat(reason).hasNoSuppressedExceptions();
  }

  @Test
  void aDirectoryThatWouldBeTakenForAPatternIsRefused() {
    for (String name : List.of("a*", "b?", "c[d", "e{f", "g\\h")) {
      String place = directory.resolve(name).toString();
      assertThatThrownBy(() -> PartFiles.in(new Location("--output", place)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("--output=" + place);
    }
  }

  private SortedRange sort(int range, int maximumRecords) throws IOException {
    SortRangeFn sort = new SortRangeFn(parts, maximumRecords);
    Collected<SortedRange> ranges = new Collected<>();
    sort.startBundle();
    sort.processElement(KV.of(range, records), ranges);
    sort.finishBundle();
    return ranges.elements.get(0);
  }

  private List<String> publish(long expected, SortedRange... ranges) throws IOException {
    Collected<String> names = new Collected<>();
    new PublishFn(parts, expected).processElement(KV.of(0, List.of(ranges)), names);
    return names.elements;
  }

  private static final class Collected<T> implements OutputReceiver<T> {
    private final List<T> elements = new ArrayList<>();

    @Override
    public OutputBuilder<T> builder(T value) {
      return WindowedValues.builder(WindowedValues.valueInGlobalWindow(value))
          .setReceiver(windowed -> elements.add(windowed.getValue()));
    }
  }
}
