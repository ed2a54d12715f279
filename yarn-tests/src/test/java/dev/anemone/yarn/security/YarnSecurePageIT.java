// SPDX-License-Identifier: Apache-2.0
package dev.anemone.yarn.security;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.anemone.yarn.Fault;
import dev.anemone.yarn.FaultDirectory;
import dev.anemone.yarn.Waiting;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSException;
import org.ietf.jgss.GSSManager;
import org.ietf.jgss.Oid;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page of a job on a cluster whose web pages want Kerberos: through YARN's proxy it is seen by
 * the job's owner and by those whom the owner names.
 */
@Tag("nightly")
class YarnSecurePageIT {

  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Oid SPNEGO = oid("1.3.6.1.5.5.2");
  private static final Oid KERBEROS_NAME = oid("1.2.840.113554.1.2.2.1");
  private static final HttpClient BROWSER = HttpClient.newHttpClient();
  private static final Pattern IMPORT = Pattern.compile("from '\\./([a-z]+\\.js)'");
  private static final Pattern ASSET = Pattern.compile("(?:src|href)=\"(\\.\\./assets/[^\"]+)\"");

  @TempDir private static Path directory;
  private static SecureCluster cluster;
  private static FaultDirectory faults;

  private static Oid oid(String text) {
    try {
      return new Oid(text);
    } catch (GSSException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  @BeforeAll
  static void start() throws Exception {
    cluster = SecureCluster.startWithSecurePages(directory);
    // Containers run as the user of the daemons, whoever has started the job.
    faults = new FaultDirectory(Files.createDirectory(directory.resolve("faults")));
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  /**
   * Asks with a ticket, as a browser does that is allowed to use it, and goes where it is sent,
   * with another one: each is good for one request.
   */
  private static HttpResponse<String> get(UserGroupInformation user, URI address) throws Exception {
    byte[] ticket =
        user.doAs((PrivilegedExceptionAction<byte[]>) () -> ticketFor(cluster.webPrincipal()));
    HttpResponse<String> answer =
        BROWSER.send(
            request(address)
                .header("Authorization", "Negotiate " + Base64.getEncoder().encodeToString(ticket))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    return answer.statusCode() == HttpURLConnection.HTTP_MOVED_TEMP
        ? get(user, address.resolve(answer.headers().firstValue("Location").orElseThrow()))
        : answer;
  }

  private static byte[] ticketFor(String service) throws GSSException {
    GSSManager manager = GSSManager.getInstance();
    GSSContext context =
        manager.createContext(
            manager.createName(service, KERBEROS_NAME), SPNEGO, null, GSSContext.DEFAULT_LIFETIME);
    try {
      return context.initSecContext(new byte[0], 0, 0);
    } finally {
      context.dispose();
    }
  }

  private static HttpResponse<String> getWithoutTicket(URI address) throws Exception {
    return BROWSER.send(request(address).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static HttpRequest.Builder request(URI address) {
    return HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(20));
  }

  @Test
  void theOwnerAndWhoIsNamedSeeIt() throws Exception {
    startDetached();
    UserGroupInformation owner = cluster.login(SecureCluster.USER);
    UserGroupInformation friend = cluster.login(SecureCluster.FRIEND);
    UserGroupInformation stranger = cluster.login(SecureCluster.STRANGER);
    ApplicationReport application = application();
    URI tracking = URI.create(application.getTrackingUrl());
    assertThat(tracking.getPath()).isEqualTo("/proxy/" + application.getApplicationId() + "/");

    String id = awaitJob(owner, tracking);

    URI page = tracking.resolve("jobs/" + id);
    assertThat(get(owner, tracking).body()).contains("url=jobs/" + id + "\"");
    assertThat(get(owner, page.resolve("../api/jobs/" + id)).body())
        .contains("\"state\":\"RUNNING\"");
    assertThat(get(owner, page.resolve("../api/jobs/" + id + "/plans")).body())
        .contains("\"pass\"");
    assertAllAssetsLoad(owner, page);

    // YARN itself refuses who has no ticket.
    for (URI address : List.of(tracking, page, tracking.resolve("api/jobs"))) {
      assertThat(getWithoutTicket(address).statusCode())
          .as(address.toString())
          .isEqualTo(HttpURLConnection.HTTP_UNAUTHORIZED);
    }
    // The page refuses whom its owner has not named.
    assertThat(get(friend, page).body()).contains("assets/main.js");
    assertThat(get(friend, page.resolve("../api/jobs/" + id)).body())
        .contains("\"state\":\"RUNNING\"");
    for (URI address : List.of(page, page.resolve("../api/jobs/" + id))) {
      HttpResponse<String> refused = get(stranger, address);
      assertThat(refused.body())
          .contains("User bob may not see this application", "tez.am.view-acls")
          .doesNotContain("RUNNING");
      assertThat(refused.statusCode()).isEqualTo(HttpURLConnection.HTTP_FORBIDDEN);
    }

    faults.release();
    owner.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              awaitEnd(application);
              return null;
            });
    assertThat(get(owner, tracking).body()).contains(id + ": SUCCEEDED");
  }

  /** What the page names, and what its scripts import. */
  private static void assertAllAssetsLoad(UserGroupInformation user, URI page) throws Exception {
    List<URI> assets = new ArrayList<>();
    Matcher named = ASSET.matcher(get(user, page).body());
    while (named.find()) {
      assets.add(page.resolve(named.group(1)));
    }
    Matcher imported = IMPORT.matcher(get(user, page.resolve("../assets/main.js")).body());
    while (imported.find()) {
      assets.add(page.resolve("../assets/" + imported.group(1)));
    }
    assertThat(assets).hasSizeGreaterThan(8);
    for (URI asset : assets) {
      HttpResponse<String> answer = get(user, asset);
      assertThat(answer.statusCode()).as(asset.toString()).isEqualTo(HttpURLConnection.HTTP_OK);
      assertThat(answer.body()).as(asset.toString()).isNotBlank();
    }
  }

  /** The page comes after the job, and the stages after the page. */
  private static String awaitJob(UserGroupInformation user, URI tracking) throws Exception {
    ObjectMapper json = new ObjectMapper();
    String[] found = new String[1];
    String[] seen = new String[1];
    Waiting.until(
        () -> {
          HttpResponse<String> list = get(user, tracking.resolve("api/jobs"));
          seen[0] = list.statusCode() + " " + list.body();
          if (!list.body().startsWith("[")) {
            return false;
          }
          for (JsonNode job : json.readTree(list.body())) {
            found[0] = job.path("id").asText();
            JsonNode head =
                json.readTree(get(user, tracking.resolve("api/jobs/" + found[0])).body());
            seen[0] = head.toString();
            return !head.path("stages").isEmpty();
          }
          return false;
        },
        LIMIT,
        () -> "the page does not show the job, but " + seen[0]);
    return found[0];
  }

  /** Runs a program of the user's that ends before its job, whose first task is held. */
  private static void startDetached() throws Exception {
    var home = new org.apache.hadoop.fs.Path("/user/" + SecureCluster.USER);
    try (FSDataOutputStream out =
        cluster.files().create(new org.apache.hadoop.fs.Path(home, "in.txt"))) {
      out.write("a rose is a rose\n".getBytes(StandardCharsets.UTF_8));
    }
    faults.arm(Fault.once(Fault.Kind.HOLD, "BEGUN"));
    String files = cluster.files().getUri() + home.toString();
    List<String> arguments = new ArrayList<>(cluster.asTheUser());
    arguments.addAll(
        List.of(
            "--input=" + files + "/in.txt",
            "--output=" + files + "/counts/part",
            "--runner=NemoRunner",
            "--progress=off",
            "--hadoopConfDir=" + cluster.configurationDirectory(),
            "--parallelism=2",
            "--tempDirectory=" + directory,
            "--deployMode=yarn",
            "--executors=1",
            "--executorMemoryMb=640",
            "--masterMemoryMb=640",
            "--detached",
            "--deadlineMinutes=10",
            "--clusterSettings=tez.am.view-acls="
                + SecureCluster.FRIEND
                + ",tez.task.launch.env="
                + FaultDirectory.VARIABLE
                + "="
                + faults.directory()));
    SecureCluster.Ended program = cluster.run(SecureProgram.class, arguments, directory);
    assertThat(program.exitCode()).as(program.said()).isZero();
    faults.awaitStrike();
  }

  private static ApplicationReport application() throws Exception {
    try (YarnClient yarn = yarn()) {
      return yarn.getApplications(EnumSet.of(YarnApplicationState.RUNNING)).get(0);
    }
  }

  private static void awaitEnd(ApplicationReport application) throws Exception {
    try (YarnClient yarn = yarn()) {
      Waiting.until(
          () ->
              yarn.getApplicationReport(application.getApplicationId()).getYarnApplicationState()
                  == YarnApplicationState.FINISHED,
          LIMIT,
          () -> "the application does not end");
    }
  }

  private static YarnClient yarn() {
    YarnClient yarn = YarnClient.createYarnClient();
    yarn.init(cluster.configuration());
    yarn.start();
    return yarn;
  }
}
