// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.experiment;

import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand.CheckedOptions;
import dev.anemone.examples.tpch.TpchDataSet;
import dev.anemone.examples.tpch.TpchQuery;
import dev.anemone.examples.tpch.TpchSkew;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Which data of TPC-H is generated; skewed if the experiment has {@link Skewed} instead. */
public class TpchOptions implements CheckedOptions {
  @Option(names = "--scale", description = "Scale factor of the TPC-H data.")
  private double scale;

  public TpchOptions(double scale) {
    this.scale = scale;
  }

  public static final class Skewed extends TpchOptions {
    @Option(
        names = "--skew",
        paramLabel = "S",
        description = "Skew of the TPC-H data, as 'anemone tpch' takes it.")
    private String skew = "customers=0.25:20,orders=0.25:20";

    public Skewed(double scale) {
      super(scale);
    }

    @Override
    public TpchSkew skew() {
      return TpchSkew.parse(skew);
    }
  }

  public TpchSkew skew() {
    return TpchSkew.NONE;
  }

  /** The queries of an option {@code --queries}; an exception names that. */
  public static List<TpchQuery> queries(String text) {
    try {
      return TpchQuery.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(e.getMessage().replace("--query=", "--queries="), e);
    }
  }

  public final double scale() {
    return scale;
  }

  @Override
  public final void check(CommandLine command) {
    try {
      TpchDataSet.check(scale, skew());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, e.getMessage(), e);
    }
  }

  public final Path directory(EvaluationDirectory evaluation) {
    return directory(evaluation, scale, skew());
  }

  /** Where data of a certain scale lies. */
  public static Path directory(EvaluationDirectory evaluation, double scale, TpchSkew skew) {
    return evaluation.results("tpch").resolve(TpchDataSet.name(scale, skew));
  }

  /** The data; generated if it is not there yet. */
  public final TpchDataSet open(EvaluationDirectory evaluation) throws IOException {
    return TpchDataSet.open(directory(evaluation), scale, skew());
  }
}
