// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.event.JobEvents;
import dev.anemone.runtime.event.MasterPage;
import dev.anemone.ui.live.ProxiedPage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whom the page of an application master answers, and where its links lead. */
class ProxiedPageTest {

  private static final String PROXY = "http://master:8088/proxy/application_1_0001/";

  private final ProxiedPage page = new ProxiedPage();

  @AfterEach
  void close() {
    page.close();
  }

  private URI start(List<Integer> ports, String proxy) throws IOException {
    return page.start(
        new MasterPage.Audience(
            "127.0.0.1",
            ports,
            () -> Set.of(address(proxy)),
            user -> user.equals(Optional.of("ann smith")),
            PROXY));
  }

  private static InetAddress address(String literal) {
    try {
      return InetAddress.getByName(literal);
    } catch (IOException e) {
      throw new IllegalArgumentException(literal, e);
    }
  }

  private static HttpResponse<String> get(URI address, String user) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(address);
    if (!user.isEmpty()) {
      request.header("Cookie", "proxy-user=" + user);
    }
    return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void whoDoesNotComeThroughTheProxyIsToldWhereThatIs() throws Exception {
    HttpResponse<String> answer = get(start(List.of(), "127.0.0.2"), "ann+smith");
    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.body()).contains(PROXY);
  }

  @Test
  void theProxySaysForWhomItAsks() throws Exception {
    URI address = start(List.of(), "127.0.0.1");
    assertThat(get(address, "ann+smith").statusCode()).isEqualTo(200);
    assertThat(get(address, "bob").statusCode()).isEqualTo(403);
    assertThat(get(address, "bob").body()).contains("bob", "tez.am.view-acls");
    assertThat(get(address, "").statusCode()).isEqualTo(403);
  }

  @Test
  void noLinkLeavesTheAddressThatTheProxyGivesIt() throws Exception {
    URI address = start(List.of(), "127.0.0.1");
    JobEvents events = new JobEvents("one");
    SampleJob.succeeded("one", "Default", 1, 4).forEach(events::publish);
    page.show(events);
    for (String path : new String[] {"", "jobs", "jobs/one"}) {
      HttpResponse<String> answer = get(address.resolve(path), "ann+smith");
      assertThat(answer.statusCode()).as(path).isEqualTo(200);
      assertThat(answer.body())
          .as(path)
          .doesNotContain("=\"/")
          .doesNotContain("url=/")
          .containsPattern("(href|src)=\"(\\.\\./assets|jobs|assets)/");
    }
    assertThat(get(address, "ann+smith").body()).contains("url=jobs/one\"");
    for (String module : new String[] {"main.js", "job.js", "compare.js"}) {
      assertThat(get(address.resolve("assets/" + module), "ann+smith").body())
          .doesNotContainPattern("['`\"]/(api|jobs|assets)");
    }
  }

  @Test
  void theFirstFreePortOfThoseThatAreAllowedIsTaken() throws Exception {
    InetAddress here = InetAddress.getLoopbackAddress();
    int free;
    try (ServerSocket closed = new ServerSocket(0, 1, here)) {
      free = closed.getLocalPort();
    }
    try (ServerSocket taken = new ServerSocket(0, 1, here)) {
      URI address = start(List.of(taken.getLocalPort(), free), "127.0.0.1");
      assertThat(address.getPort()).isEqualTo(free);
    }
  }
}
