// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.jobs;

import dev.anemone.cli.VersionText;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code anemone jobs}: the jobs that there are. */
@Command(
    name = "jobs",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    sortOptions = false,
    subcommands = {ShowJobCommand.class, KillJobCommand.class},
    commandListHeading = "%nCommands:%n",
    description = {
      "Lists the jobs of this user that run on this machine, and those of a cluster or of event logs.",
      ""
    },
    footer = {
      "",
      "Example: anemone jobs --logs=/var/log/anemone",
      "         anemone jobs kill 3f0c2a4e"
    })
public final class JobsCommand implements Callable<Integer> {

  @Mixin private JobPlaces places;

  @Override
  public Integer call() throws IOException {
    List<Job> jobs = places.jobs();
    if (jobs.isEmpty()) {
      System.out.println("There are no jobs " + places.describe() + ".");
    } else {
      System.out.print(JobTable.of(jobs));
    }
    places.remarks().forEach(System.err::println);
    return 0;
  }
}
