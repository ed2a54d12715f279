// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.cli;

import dev.anemone.cli.BeamArguments;
import dev.anemone.cli.ExplainableCommand;
import dev.anemone.cli.VersionText;
import dev.anemone.examples.pagerank.PageRank;
import java.util.List;
import org.apache.beam.sdk.Pipeline;
import picocli.CommandLine.Command;

/** {@code anemone pagerank}: see {@link PageRank}. */
@Command(
    name = PageRankCommand.NAME,
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    customSynopsis =
        "anemone pagerank (--input=FILES | --generate=V,E) --output=PREFIX [Beam options]",
    description = {
      "Ranks the vertices of a graph by PageRank.",
      "Prints the names of the result files, whose lines are 'vertex rank'; with --detached, only",
      "starts the job.",
      "",
      "  --input=FILES    edges, one 'from to' a line: a file, or a quoted pattern",
      "  --generate=V,E   instead: a random graph of V vertices and E edges",
      "  --seed=N         which random graph (default: 1)",
      "  --output=PREFIX  path prefix of the result files; in a directory: ranks-...",
      "  --iterations=N   how often ranks are handed on along the links (default: 10)",
      "  --damping=P      probability that a link is followed (default: 0.85)",
      "  --optimizationPolicy=NAME, --passes=A,B and all other options of the runner",
      ""
    })
final class PageRankCommand implements ExplainableCommand {
  static final String NAME = "pagerank";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void call(List<String> arguments) throws Throwable {
    PageRank.main(BeamArguments.withRunner(arguments));
  }

  @Override
  public Pipeline pipeline(List<String> arguments) {
    return PageRank.pipeline(ExplainedOptions.of(arguments, PageRank.Options.class));
  }
}
