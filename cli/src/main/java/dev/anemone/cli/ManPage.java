// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Manual pages of commands in roff, with the macros of {@code man(7)}: the same words as {@code
 * --help}, from picocli's model.
 */
final class ManPage {

  private final CommandSpec command;
  private final String version;
  private final StringBuilder page = new StringBuilder();

  private ManPage(CommandSpec command, String version) {
    this.command = command;
    this.version = version;
  }

  /**
   * Writes the pages of all commands, one file each, such as {@code anemone-pool-start.1}.
   *
   * @param version of what they describe
   * @param directory is made when it is not there
   */
  static void writeAll(CommandLine commands, String version, Path directory) throws IOException {
    Files.createDirectories(directory);
    CommandSpec command = commands.getCommandSpec();
    Files.writeString(
        directory.resolve(name(command) + ".1"), new ManPage(command, version).text());
    for (CommandLine below : commands.getSubcommands().values()) {
      writeAll(below, version, directory);
    }
  }

  private static String name(CommandSpec command) {
    return command.qualifiedName("-");
  }

  private String text() {
    page.append(".\\\" SPDX-License-Identifier: Apache-2.0\n");
    macro("TH", name(command).toUpperCase(Locale.ROOT), "1", "", version, "Anemone");
    macro("SH", "NAME");
    line(name(command) + " \\- " + escaped(headline(command)));
    macro("SH", "SYNOPSIS");
    asItIs(List.of(command.commandLine().getHelp().synopsis(0).stripTrailing()));
    macro("SH", "DESCRIPTION");
    asItIs(List.of(command.usageMessage().description()));
    options();
    commands();
    if (command.usageMessage().footer().length > 0) {
      macro("SH", "NOTES");
      asItIs(List.of(command.usageMessage().footer()));
    }
    CommandSpec parent = command.parent();
    if (parent != null) {
      macro("SH", "SEE ALSO");
      macro("BR", name(parent), "(1)");
    }
    return page.toString();
  }

  /** What the first sentence of the description says. */
  private static String headline(CommandSpec command) {
    String[] description = command.usageMessage().description();
    String first = description.length == 0 ? command.name() : plain(description[0]);
    return first.endsWith(".") ? first.substring(0, first.length() - 1) : first;
  }

  private void options() {
    macro("SH", "OPTIONS");
    for (PositionalParamSpec parameter : command.positionalParameters()) {
      item(parameter.paramLabel(), parameter);
    }
    for (OptionSpec option : command.options()) {
      if (!option.hidden()) {
        String value = option.arity().max() == 0 ? "" : "=" + option.paramLabel();
        item(String.join(", ", option.names()) + value, option);
      }
    }
  }

  private void item(String title, ArgSpec argument) {
    macro("TP");
    line("\\fB" + escaped(title) + "\\fR");
    for (String text : argument.description()) {
      line(escaped(plain(text)));
    }
  }

  private void commands() {
    if (command.subcommands().isEmpty()) {
      return;
    }
    macro("SH", "COMMANDS");
    for (Map.Entry<String, CommandLine> below : command.subcommands().entrySet()) {
      macro("TP");
      CommandSpec spec = below.getValue().getCommandSpec();
      line("\\fB" + escaped(below.getKey()) + "\\fR");
      line(escaped(headline(spec)) + ", see");
      macro("BR", name(spec), "(1)");
    }
  }

  /** Lines that are not to be filled. */
  private void asItIs(List<String> lines) {
    macro("nf");
    lines.forEach(text -> line(escaped(plain(text).stripTrailing())));
    macro("fi");
  }

  /** Without picocli's marks for styles. */
  private static String plain(String text) {
    return Ansi.OFF.string(text).replace("%n", "");
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("-", "\\-");
  }

  private void line(String text) {
    // A line that begins with one of these is a request.
    page.append(text.startsWith(".") || text.startsWith("'") ? "\\&" : "")
        .append(text)
        .append('\n');
  }

  private void macro(String name, String... arguments) {
    page.append('.').append(name);
    for (String argument : arguments) {
      page.append(" \"").append(argument.replace("\"", "\\(dq")).append('"');
    }
    page.append('\n');
  }
}
