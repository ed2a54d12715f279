// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What bash completes with the script, by the function that the script registers. */
class CompletionCommandTest {

  @TempDir Path directory;

  private Path script;

  private static String printed(String shell) {
    PrintStream standardOutput = System.out;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    System.setOut(new PrintStream(out, true, UTF_8));
    try {
      assertThat(Anemone.run("completion", shell)).isZero();
    } finally {
      System.setOut(standardOutput);
    }
    return out.toString(UTF_8);
  }

  @BeforeEach
  void print() throws IOException {
    script = Files.writeString(directory.resolve("completion.bash"), printed("bash"));
  }

  /** What bash offers for the last of the words. */
  private List<String> completed(String... words) throws IOException, InterruptedException {
    StringBuilder commands = new StringBuilder();
    commands.append("source ").append(script).append('\n');
    // The real one works only while somebody presses Tab.
    commands.append("compopt() { :; }\n");
    // "complete -o default -F function anemone"
    commands.append("function=$(complete -p anemone | sed 's/.*-F \\([^ ]*\\).*/\\1/')\n");
    commands.append("COMP_WORDS=(").append(String.join(" ", words)).append(")\n");
    commands.append("COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n");
    commands.append("COMP_LINE=\"${COMP_WORDS[*]}\" COMP_POINT=${#COMP_LINE}\n");
    commands.append("\"$function\"\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n");
    Path file = Files.writeString(directory.resolve("run.bash"), commands.toString());
    Process bash =
        new ProcessBuilder("bash", "--norc", file.toString()).redirectErrorStream(true).start();
    String out = new String(bash.getInputStream().readAllBytes(), UTF_8);
    assertThat(bash.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(bash.exitValue()).as(out).isZero();
    return out.lines().map(String::strip).toList();
  }

  @Test
  void bashCompletesCommandsAndTheirOptions() throws Exception {
    assertThat(completed("anemone", "po")).containsExactly("pool");
    assertThat(completed("anemone", "pool", "st")).containsExactly("start", "status", "stop");
    assertThat(completed("anemone", "pool", "start", "--cap")).containsExactly("--capacity");
    assertThat(completed("anemone", "completion", "''")).contains("bash", "zsh");
  }

  @Test
  void zshGetsTheSameScriptWithWhatReadsIt() throws IOException {
    assertThat(printed("zsh")).contains("bashcompinit").endsWith(Files.readString(script));
  }

  @Test
  void anotherShellIsRefusedWithThoseThatAreKnown() {
    assertThat(Anemone.run("completion", "fish")).isEqualTo(2);
  }
}
