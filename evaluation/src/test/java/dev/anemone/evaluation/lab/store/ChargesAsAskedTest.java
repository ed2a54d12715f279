// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.StoreDecorator;
import dev.anemone.runtime.store.file.LocalFileStore;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChargesAsAskedTest {

  @TempDir private Path directory;

  @AfterEach
  void forgetWhatWasAsked() {
    System.clearProperty(ChargesAsAsked.LINK_PROPERTY);
    System.clearProperty(ChargesAsAsked.SEEK_PROPERTY);
    System.clearProperty(ChargesAsAsked.DISK_PROPERTY);
  }

  @Test
  void theRuntimeFindsItAndNothingIsChargedThatNobodyAsksFor() {
    BlockStore files = new LocalFileStore(directory);
    assertThat(StoreDecorator.decorated(files)).isSameAs(files);
  }

  @ParameterizedTest
  @CsvSource({
    ChargesAsAsked.LINK_PROPERTY + ",10000000,LinkChargingStore",
    ChargesAsAsked.SEEK_PROPERTY + ",5000,SeekChargingStore",
    ChargesAsAsked.DISK_PROPERTY + ",150000000,DiskRateStore"
  })
  void aSystemPropertyAsksForIt(String property, String value, String store) {
    System.setProperty(property, value);
    assertThat(StoreDecorator.decorated(new LocalFileStore(directory)))
        .extracting(decorated -> decorated.getClass().getSimpleName())
        .isEqualTo(store);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ChargesAsAsked.LINK_PROPERTY,
        ChargesAsAsked.SEEK_PROPERTY,
        ChargesAsAsked.DISK_PROPERTY
      })
  void whatIsNoNumberIsRefused(String property) {
    System.setProperty(property, "10m");
    assertThatThrownBy(() -> StoreDecorator.decorated(new LocalFileStore(directory)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-D" + property + "=10m is not a whole number");
  }
}
