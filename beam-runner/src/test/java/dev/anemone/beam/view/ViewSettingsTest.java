// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.beam.options.ViewOptions;
import java.nio.file.Path;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ViewSettingsTest {

  @TempDir Path temporary;

  @Test
  void autoHasAPageWhereSomebodyIsWatching() {
    assertThat(settings(true).page()).isTrue();
    assertThat(settings(true).port()).isEmpty();
    assertThat(settings(false).page()).isFalse();
    assertThat(settings(true, "--ui=off").page()).isFalse();
    assertThat(settings(false, "--ui=4040").port()).contains(4040);
  }

  @Test
  void aPortThatIsNoneIsOneClearError() {
    for (String port : new String[] {"0", "65536", "on"}) {
      assertThatThrownBy(() -> settings(false, "--ui=" + port))
          .isInstanceOf(InvalidPipelineException.class)
          .hasMessageContaining("--ui=" + port + " is not known. Use auto, off, or a port");
    }
  }

  @Test
  void aReportThatCannotBeWrittenIsOneClearError() {
    assertThatThrownBy(() -> settings(false, "--report=" + temporary))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("is a directory. Name a file");
    assertThatThrownBy(() -> settings(false, "--report=" + temporary.resolve("no/job.html")))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("is no directory that this user can write to");
  }

  /** This module has no page on its class path. */
  @Test
  void whereThereIsNoPageOnlyThoseHearOfItWhoAskForOne() {
    ClassLoader loader = getClass().getClassLoader();
    assertThat(settings(true).open(loader)).isEmpty();
    assertThat(settings(false).open(loader)).isEmpty();
    assertThatThrownBy(() -> settings(false, "--ui=4040").open(loader))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("Add dev.anemone:anemone-ui");
    Path report = temporary.resolve("job.html");
    assertThatThrownBy(() -> settings(false, "--report=" + report).open(loader))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("--report needs the page");
  }

  private static ViewSettings settings(boolean isWatched, String... arguments) {
    return ViewSettings.of(
        PipelineOptionsFactory.fromArgs(arguments).as(ViewOptions.class), isWatched);
  }
}
