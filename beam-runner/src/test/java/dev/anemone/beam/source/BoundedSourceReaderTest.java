// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.harness.InMemoryTask;
import dev.anemone.beam.metrics.MetricsReports;
import dev.anemone.beam.operator.BeamFunctionProvider;
import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.beam.spec.Urns;
import dev.anemone.ir.SourcePart;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.FunctionSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.io.BoundedSource;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;

class BoundedSourceReaderTest {

  private final InMemoryTask task = new InMemoryTask(FunctionSpec.of("none"));

  @Test
  void elementsKeepTheirOrderAndTheSourcesTimestamps() throws Exception {
    List<Object> elements = new ArrayList<>();

    new BeamFunctionProvider()
        .sourceReader(source(Urns.READ), BeamSpecs.toFunctionSpec(Urns.READ, new Numbers(3)), task)
        .read(elements::add);

    assertThat(elements).containsExactly(element(0), element(1), element(2));
  }

  private static WindowedValue<Integer> element(int number) {
    return WindowedValues.timestampedValueInGlobalWindow(number, Instant.ofEpochMilli(number));
  }

  @Test
  void readerIsClosedWhenAConsumerFails() {
    Numbers source = new Numbers(3);

    assertThatThrownBy(
            () ->
                new BoundedSourceReader(source, "Numbers", PipelineOptionsFactory.create(), task)
                    .read(
                        element -> {
                          throw new IllegalStateException("full");
                        }))
        .hasMessage("full");
    assertThat(source.closed).isEqualTo(1);
  }

  @Test
  void countsOfTheSourceGoToItsStep() throws Exception {
    BoundedSourceReader reader =
        new BoundedSourceReader(new Numbers(5), "Numbers", PipelineOptionsFactory.create(), task);
    reader.read(element -> {});

    var results =
        MetricsReports.toResults(MetricsReports.merge(List.of(reader.report().orElseThrow())));

    MetricResult<Long> counter =
        results.queryMetrics(MetricsFilter.builder().build()).getCounters().iterator().next();
    assertThat(counter.getKey().stepName()).isEqualTo("Numbers");
    assertThat(counter.getCommitted()).isEqualTo(5);
  }

  @Test
  void itIsAsFarAsTheSourceSays() throws Exception {
    BoundedSourceReader reader =
        new BoundedSourceReader(new Numbers(4), "Numbers", PipelineOptionsFactory.create(), task);
    List<Double> fractions = new ArrayList<>();
    reader.read(element -> fractions.add(reader.fraction()));

    assertThat(fractions).containsExactly(0.25, 0.5, 0.75, 1.0);
    assertThat(reader.fraction()).isZero();
  }

  @Test
  void impulseGivesOneEmptyArray() throws Exception {
    List<Object> elements = new ArrayList<>();

    new BeamFunctionProvider()
        .sourceReader(source(Urns.IMPULSE), FunctionSpec.of(Urns.IMPULSE), task)
        .read(elements::add);

    assertThat(elements).hasSize(1);
    assertThat((byte[]) ((WindowedValue<?>) elements.get(0)).getValue()).isEmpty();
  }

  private static SourceVertex source(String urn) {
    FunctionSpec spec = FunctionSpec.of(urn);
    return SourceVertex.of("v1", "Numbers", spec, List.of(new SourcePart(spec, 0, List.of())));
  }

  /** The numbers from 0, each with itself as the timestamp. */
  private static final class Numbers extends BoundedSource<Integer> {

    private final int count;
    private transient int closed;

    Numbers(int count) {
      this.count = count;
    }

    @Override
    public List<? extends BoundedSource<Integer>> split(long bytes, PipelineOptions options) {
      return List.of(this);
    }

    @Override
    public long getEstimatedSizeBytes(PipelineOptions options) {
      return count;
    }

    @Override
    public Coder<Integer> getOutputCoder() {
      return VarIntCoder.of();
    }

    @Override
    public BoundedReader<Integer> createReader(PipelineOptions options) {
      return new NumbersReader(this);
    }
  }

  private static final class NumbersReader extends BoundedSource.BoundedReader<Integer> {

    private final Counter read = Metrics.counter("numbers", "read");
    private final Numbers source;
    private int current = -1;

    NumbersReader(Numbers source) {
      this.source = source;
    }

    @Override
    public Double getFractionConsumed() {
      return (current + 1.0) / source.count;
    }

    @Override
    public boolean start() {
      return advance();
    }

    @Override
    public boolean advance() {
      current++;
      if (current < source.count) {
        read.inc();
        return true;
      }
      return false;
    }

    @Override
    public Integer getCurrent() {
      if (current < 0 || current >= source.count) {
        throw new NoSuchElementException();
      }
      return current;
    }

    @Override
    public Instant getCurrentTimestamp() {
      return Instant.ofEpochMilli(current);
    }

    @Override
    public void close() throws IOException {
      source.closed++;
    }

    @Override
    public BoundedSource<Integer> getCurrentSource() {
      return source;
    }
  }
}
