// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.transfer.fetch.FetchSettings;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class FetchConfigurationTest {

  @Test
  void containersReadWhatWasWritten() {
    FetchSettings settings =
        new FetchSettings(
            Duration.ofSeconds(1),
            Duration.ofSeconds(2),
            Duration.ofSeconds(3),
            Duration.ofSeconds(4),
            5,
            6,
            7);
    Configuration configuration = new Configuration(false);
    assertThat(FetchConfiguration.read(configuration)).isEqualTo(FetchSettings.DEFAULT);
    FetchConfiguration.write(settings, configuration);
    assertThat(FetchConfiguration.read(configuration)).isEqualTo(settings);
  }
}
