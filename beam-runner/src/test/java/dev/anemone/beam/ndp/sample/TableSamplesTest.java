// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.ndp.FileSplit;
import dev.anemone.beam.ndp.NdpSpec;
import dev.anemone.beam.ndp.NdpUrns;
import dev.anemone.beam.ndp.ProxyWaits;
import dev.anemone.beam.ndp.StorageAccess;
import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SourcePart;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.property.PushdownCosts;
import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ir.relational.json.RelationalFunctions;
import dev.anemone.ndp.format.CsvFormat;
import dev.anemone.ndp.protocol.ProxyStatus;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PushdownAdvisor.Candidate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables are read before proxies are asked, and operators are tried on what was read. */
class TableSamplesTest {

  private static final RowType ROW = RowType.of(Field.nullable("id", SimpleType.INT64));
  private static final int LINES = 20_000;

  private final StorageAccess access =
      new StorageAccess(
          List.of(),
          null,
          null,
          new ProxyWaits(Duration.ofMinutes(1), Duration.ofSeconds(20), Duration.ofSeconds(30)),
          List.of());
  private final TableSamples samples =
      new TableSamples(access, PassContext.of(4, 1 << 20, Map.of()));
  private final List<ProxyStatus> proxies = List.of(SourceModelTest.status(2, 0, 0, 1.5, 3));

  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    file = Files.writeString(directory.resolve("t.csv"), "4711\n".repeat(LINES));
  }

  @Test
  void whatWasReadIsTriedWithoutTheFile() throws IOException {
    SampledTable table = table();
    try (samples) {
      samples.begin(table);
      samples.awaitReads();
      Files.delete(file);
      assertThat(samples.costs(List.of(table), proxies).get("t").operators())
          .extracting(PushdownCosts.Operator::name)
          .containsExactly("Aggregate");
    }
  }

  @Test
  void whatWasNotBegunIsSampledWhenItIsAskedFor() throws IOException {
    try (samples) {
      samples.awaitReads();
      assertThat(samples.costs(List.of(table()), proxies)).containsOnlyKeys("t");
      assertThat(samples.costs(List.of(), proxies)).isEmpty();
    }
  }

  @Test
  void aFileThatCannotBeReadIsToldToWhoAsksForIt() throws IOException {
    SampledTable table = table();
    Files.delete(file);
    try (samples) {
      samples.begin(table);
      samples.awaitReads();
      assertThatThrownBy(() -> samples.costs(List.of(table), proxies))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(file.toString());
    }
  }

  private SampledTable table() throws IOException {
    long size = Files.size(file);
    FileSplit split = new FileSplit(file.toString(), 0, size, size, List.of());
    SourceVertex source =
        SourceVertex.of(
            "t",
            "t",
            BeamSpecs.toFunctionSpec(
                NdpUrns.SOURCE, NdpSpec.of(CsvFormat.of(','), ROW, ROW, access, 0)),
            List.of(
                new SourcePart(BeamSpecs.toFunctionSpec(NdpUrns.SOURCE, split), size, List.of())));
    Aggregate rows =
        Aggregate.complete(List.of(), List.of(AggregateCall.countRows("n"))).partialHalf();
    return SampledTable.of(
        new Candidate(
            source, List.of(OperatorVertex.of("n", "n", RelationalFunctions.specOf(rows)))),
        getClass().getClassLoader());
  }
}
