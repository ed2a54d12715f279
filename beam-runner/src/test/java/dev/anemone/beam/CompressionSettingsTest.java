// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.property.Compression;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.defaults.CompressionPass;
import dev.anemone.passes.policy.AdHocPolicy;
import dev.anemone.passes.policy.DefaultPolicy;
import dev.anemone.passes.policy.Policy;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompressionSettingsTest {
  private static final Policy DEFAULT = new DefaultPolicy();

  @TempDir Path configuration;

  @Test
  void whatGoesOverANetworkIsCompressed() {
    assertThat(chosen(onYarn())).isEqualTo(Compression.LZ4);
    assertThat(chosen(onYarn("--optimizationPolicy=LargeShuffle"))).isEqualTo(Compression.LZ4);
  }

  @Test
  void whatStaysInThisJvmIsNot() {
    assertThat(chosen(settings(Map.of()))).isEqualTo(Compression.NONE);
  }

  @Test
  void theUserDecides() {
    assertThat(chosen(onYarn("--compression=none"))).isEqualTo(Compression.NONE);
    assertThat(chosen(onYarn("--passOptions=compression=zstd"))).isEqualTo(Compression.ZSTD);
    assertThat(chosen(settings(Map.of(), "--compression=lz4"))).isEqualTo(Compression.LZ4);
  }

  @Test
  void aPolicyThatDoesNotReadItIsNotTold() {
    Policy without = new AdHocPolicy("no passes", List.of(), List.of());

    assertThat(context(onYarn(), without).options())
        .doesNotContainKey(CompressionPass.COMPRESSION.name());
  }

  private static Compression chosen(RunSettings settings) {
    return context(settings, DEFAULT).get(CompressionPass.COMPRESSION);
  }

  private static PassContext context(RunSettings settings, Policy policy) {
    return CompressionSettings.withDefault(
        settings.passContext(), policy, settings.engine().deployment());
  }

  private RunSettings onYarn(String... arguments) {
    return settings(
        Map.of("HADOOP_CONF_DIR", configuration.toString()),
        Stream.concat(Stream.of("--deployMode=yarn"), Arrays.stream(arguments))
            .toArray(String[]::new));
  }

  private static RunSettings settings(Map<String, String> environment, String... arguments) {
    return RunSettings.of(PipelineOptionsFactory.fromArgs(arguments).create(), environment);
  }
}
