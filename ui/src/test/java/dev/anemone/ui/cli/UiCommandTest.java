// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.cli.CommandProvider;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class UiCommandTest {

  @TempDir Path logs;

  @Test
  void theLogsOfADirectoryAreServedUntilTheCommandIsEnded() throws Exception {
    Files.writeString(
        logs.resolve("job-7.jsonl"),
        """
        {"event":"job-started","time":1767225600000,"version":1,"job":"job-7","name":"Clicks"}
        {"event":"job-finished","time":1767225601000,"state":"SUCCEEDED"}
        """);
    PrintStream err = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
    Thread command =
        new Thread(() -> new CommandLine(new UiCommand()).execute("--logs=" + logs, "--port=0"));
    try {
      command.start();
      String address = address(printed);
      HttpResponse<String> list =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(URI.create(address + "jobs")).build(),
                  HttpResponse.BodyHandlers.ofString());
      assertThat(list.body()).contains("<a href=\"jobs/job-7\">Clicks</a>", "succeeded");
    } finally {
      command.interrupt();
      command.join(TimeUnit.SECONDS.toMillis(20));
      System.setErr(err);
    }
    assertThat(command.isAlive()).isFalse();
  }

  @Test
  void theLauncherFindsTheCommand() {
    assertThat(ServiceLoader.load(CommandProvider.class).stream())
        .anySatisfy(provider -> assertThat(provider.type()).isEqualTo(UiCommands.class));
  }

  private static String address(ByteArrayOutputStream printed) {
    Pattern pattern = Pattern.compile("http://\\S+");
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (System.nanoTime() < deadline) {
      Matcher matcher = pattern.matcher(printed.toString(StandardCharsets.UTF_8));
      if (matcher.find()) {
        return matcher.group();
      }
      Thread.onSpinWait();
    }
    throw new AssertionError("no address in " + printed.toString(StandardCharsets.UTF_8));
  }
}
