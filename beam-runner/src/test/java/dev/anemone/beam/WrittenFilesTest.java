// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.TextIO;
import org.apache.beam.sdk.transforms.Create;
import org.junit.jupiter.api.Test;

class WrittenFilesTest {

  @Test
  void filesOfBeamsSinksAreKnownByTheirNames() {
    Pipeline pipeline = Pipeline.create();
    pipeline.apply(Create.of("a")).apply(TextIO.write().to("/tmp/words").withSuffix(".txt"));

    assertThat(WrittenFiles.of(pipeline)).containsExactly("/tmp/words-*.txt");
  }

  @Test
  void aPipelineThatWritesNoFileHasNone() {
    Pipeline pipeline = Pipeline.create();
    pipeline.apply(Create.of("a"));

    assertThat(WrittenFiles.of(pipeline)).isEmpty();
  }
}
