// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.yarn;

import dev.anemone.runtime.engine.ClusterApplication;
import dev.anemone.runtime.engine.Deployment;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.ApplicationNotFoundException;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.tez.dag.api.TezConstants;

/** The applications of a cluster that this project has started for this user. */
public final class ClusterApplications {

  /** Sessions are called as they are started, detached applications after their jobs. */
  private static final Pattern NAME =
      Pattern.compile("anemone|.* [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private static final Set<YarnApplicationState> FINAL =
      Set.of(
          YarnApplicationState.FINISHED, YarnApplicationState.FAILED, YarnApplicationState.KILLED);

  private ClusterApplications() {}

  /**
   * Those that the cluster still knows, the oldest first.
   *
   * @throws IllegalArgumentException when the cluster's configuration is no good
   * @throws IOException when the cluster gives no answer within the deadline
   */
  public static List<ClusterApplication> list(Deployment.Yarn deployment, Duration deadline)
      throws IOException {
    return ask(
        deployment,
        deadline,
        yarn -> {
          String user = UserGroupInformation.getCurrentUser().getShortUserName();
          List<ClusterApplication> applications = new ArrayList<>();
          for (ApplicationReport report :
              yarn.getApplications(
                  Set.of(TezConstants.TEZ_APPLICATION_TYPE),
                  EnumSet.allOf(YarnApplicationState.class))) {
            if (report.getUser().equals(user) && NAME.matcher(report.getName()).matches()) {
              applications.add(of(report));
            }
          }
          applications.sort(Comparator.comparingLong(ClusterApplication::startedAt));
          return applications;
        });
  }

  /**
   * Ends an application, and waits for that. Does nothing when it has ended.
   *
   * @return whether it was there and has not ended before
   * @throws IllegalArgumentException when the cluster's configuration is no good
   * @throws IOException when the cluster gives no answer, or has not ended it, within the deadline
   */
  public static boolean kill(Deployment.Yarn deployment, String id, Duration deadline)
      throws IOException {
    return ask(
        deployment,
        deadline,
        yarn -> {
          ApplicationId application = ApplicationId.fromString(id);
          try {
            ApplicationReport report = yarn.getApplicationReport(application);
            if (FINAL.contains(report.getYarnApplicationState())) {
              return false;
            }
          } catch (ApplicationNotFoundException e) {
            return false;
          }
          yarn.killApplication(application, "'anemone jobs kill' has asked for it");
          return true;
        });
  }

  private static ClusterApplication of(ApplicationReport report) {
    boolean isFinal = FINAL.contains(report.getYarnApplicationState());
    return new ClusterApplication(
        report.getApplicationId().toString(),
        report.getName(),
        isFinal
            ? report.getFinalApplicationStatus().name()
            : report.getYarnApplicationState().name(),
        !isFinal,
        report.getStartTime(),
        report.getFinishTime(),
        isFinal || !hasPage(report) ? "" : report.getTrackingUrl(),
        report.getDiagnostics() == null ? "" : report.getDiagnostics().strip());
  }

  /** The cluster has an address of its own for every application; it says so of one without. */
  private static boolean hasPage(ApplicationReport report) {
    String own = report.getOriginalTrackingUrl();
    return own != null && !own.isEmpty() && !own.equals("N/A");
  }

  /** Asks the cluster. */
  @FunctionalInterface
  private interface Question<T> {
    T ask(YarnClient yarn) throws IOException, YarnException;
  }

  private static <T> T ask(Deployment.Yarn deployment, Duration deadline, Question<T> question)
      throws IOException {
    Configuration cluster =
        ClusterConfiguration.load(deployment.configuration(), deployment.settings());
    ClusterSecurity.logIn(cluster);
    Callable<T> call =
        () -> {
          try (YarnClient yarn = YarnClient.createYarnClient()) {
            yarn.init(cluster);
            yarn.start();
            return question.ask(yarn);
          } catch (YarnException e) {
            throw new IOException(e.getMessage(), e);
          }
        };
    try (BoundedCalls calls = new BoundedCalls("anemone-applications", 1, deadline)) {
      return calls.call(call);
    } catch (TimeoutException e) {
      throw new IOException(
          "the cluster of "
              + deployment.configuration()
              + " gives no answer within "
              + deadline.toSeconds()
              + " s",
          e);
    }
  }
}
