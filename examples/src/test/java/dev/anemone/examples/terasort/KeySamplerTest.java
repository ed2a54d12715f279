// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.terasort;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.examples.files.Location;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeySamplerTest {
  private final List<byte[]> records = Records.generated(1_000);

  @TempDir private Path directory;
  private RecordFiles files;

  @BeforeEach
  void write() throws IOException {
    PipelineOptionsFactory.create();
    Records.write(directory.resolve("part-00000"), records.subList(0, 333));
    Records.write(directory.resolve("part-00001"), records.subList(333, 334));
    Records.write(directory.resolve("part-00002"), List.of());
    Records.write(directory.resolve("part-00003"), records.subList(334, 1_000));
    files = RecordFiles.find(new Location("--input", directory.toString()));
  }

  @Test
  void aSampleIsOfPlacesThatAreSpreadEvenlyOverAllFiles() throws IOException {
    assertThat(KeySampler.sample(files, 50))
        .containsExactlyElementsOf(
            IntStream.range(0, 5)
                .flatMap(place -> IntStream.range(0, 10).map(key -> 200 * place + 95 + key))
                .mapToObj(this::key)
                .toList());
  }

  @Test
  void aPlaceMayBeInSeveralFiles() throws IOException {
    List<TeraKey> all = IntStream.range(0, 1_000).mapToObj(this::key).toList();

    List<TeraKey> sample = KeySampler.sample(files, 990);

    assertThat(sample).hasSize(990).doesNotHaveDuplicates().isSubsetOf(all);
    assertThat(sample).containsSubsequence(key(332), key(333), key(334));
  }

  @Test
  void fewRecordsAreAllSampled() throws IOException {
    assertThat(KeySampler.sample(files, 5_000))
        .containsExactlyElementsOf(IntStream.range(0, 1_000).mapToObj(this::key).toList());
  }

  private TeraKey key(int record) {
    return TeraKey.at(records.get(record), 0);
  }
}
