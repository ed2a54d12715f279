// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A document in Markdown, as far as it shows commands and files.
 *
 * @param name of the file
 * @param lines of it
 */
record Document(String name, List<String> lines) {
  private static final String INDENT = "    ";
  private static final Pattern COMMAND = Pattern.compile("(eval \"\\$\\()?bin/anemone .*|mvn .*");
  private static final Pattern FENCE = Pattern.compile("```.*");
  private static final Pattern FILE = Pattern.compile("`([\\w./-]+/[\\w.-]+)`:?");
  private static final Pattern COMMENT = Pattern.compile("\\s+# .*");

  /**
   * Commands that follow each other without a line of text in between.
   *
   * @param line where they begin, from 1 on
   * @param commands each in one line, without its comment
   */
  record Block(String document, int line, List<String> commands) {
    @Override
    public String toString() {
      return document + ":" + line;
    }
  }

  Document {
    lines = List.copyOf(lines);
  }

  /** The README and the documents beside each other in {@code docs}. */
  static List<Document> all(Path project) throws IOException {
    List<Document> documents = new ArrayList<>();
    documents.add(read(project, Path.of("README.md")));
    try (Stream<Path> files = Files.list(project.resolve("docs"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".md")).sorted().toList()) {
        documents.add(read(project, project.relativize(file)));
      }
    }
    return documents;
  }

  private static Document read(Path project, Path file) throws IOException {
    return new Document(file.toString(), Files.readAllLines(project.resolve(file)));
  }

  /** The blocks of code with a command in them, in their order. */
  List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    List<String> code = new ArrayList<>();
    int begin = 0;
    boolean fenced = false;
    for (int i = 0; i <= lines.size(); i++) {
      String line = i < lines.size() ? lines.get(i) : "";
      boolean fence = FENCE.matcher(line).matches();
      boolean isCode = !fence && (fenced || line.startsWith(INDENT));
      if (isCode) {
        begin = code.isEmpty() ? i + 1 : begin;
        code.add(line.strip());
      } else {
        List<String> commands = commands(code);
        if (commands.stream().anyMatch(each -> COMMAND.matcher(each).matches())) {
          blocks.add(new Block(name, begin, commands));
        }
        code.clear();
      }
      fenced ^= fence;
    }
    return blocks;
  }

  /** The lines of code, those together that a backslash joins. */
  private static List<String> commands(List<String> code) {
    List<String> commands = new ArrayList<>();
    StringBuilder command = new StringBuilder();
    for (String line : code) {
      boolean goesOn = line.endsWith("\\");
      command.append(goesOn ? line.substring(0, line.length() - 1).strip() + " " : line);
      if (!goesOn) {
        commands.add(COMMENT.matcher(command).replaceFirst("").strip());
        command.setLength(0);
      }
    }
    commands.removeIf(String::isEmpty);
    return commands;
  }

  /** The files that the document shows: a paragraph with the name, then the content in fences. */
  Map<String, String> files() {
    Map<String, String> files = new LinkedHashMap<>();
    for (int i = 0; i + 2 < lines.size(); i++) {
      Matcher file = FILE.matcher(lines.get(i));
      if (file.matches()
          && lines.get(i + 1).isEmpty()
          && FENCE.matcher(lines.get(i + 2)).matches()) {
        List<String> rest = lines.subList(i + 3, lines.size());
        files.put(file.group(1), String.join("\n", rest.subList(0, rest.indexOf("```"))) + "\n");
      }
    }
    return files;
  }
}
