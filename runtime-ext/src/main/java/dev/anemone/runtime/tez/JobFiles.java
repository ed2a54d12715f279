package dev.anemone.runtime.tez;

import dev.anemone.runtime.engine.EdgeCounters;
import dev.anemone.runtime.engine.Redraw;
import dev.anemone.runtime.engine.TaskReport;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The directory through which the tasks of a job talk to its client: reports of tasks that
 * succeeded, and exceptions of attempts that failed. Files appear whole, by renaming. Thread-safe.
 */
final class JobFiles {

  private static final String REPORT = "report-";
  private static final String REDRAW = "redraw-";
  private static final String FAILURE = "failure-";
  private static final String UNFINISHED = "tmp-";

  /** Comes after the number of any attempt. */
  private static final int MASTER = 999_999;

  private final Path directory;

  private JobFiles(Path directory) {
    this.directory = directory;
  }

  static JobFiles of(String directoryUri) {
    return new JobFiles(Path.of(URI.create(directoryUri)));
  }

  /**
   * What a task reports.
   *
   * @param reports of its operators
   * @param edges counters by edge
   * @param readBytes bytes that it has read, by edge
   */
  record TaskReports(
      List<TaskReport> reports, Map<String, EdgeCounters> edges, Map<String, Long> readBytes) {}

  /**
   * What the tasks of a job report.
   *
   * @param reports of operators
   * @param edges counters by edge, added up
   * @param readBytes bytes that each consumer task has read, by edge
   * @param redraws what came of samples
   */
  record JobReports(
      List<TaskReport> reports,
      Map<String, EdgeCounters> edges,
      Map<String, List<Long>> readBytes,
      List<Redraw> redraws) {

    static final JobReports NONE = new JobReports(List.of(), Map.of(), Map.of(), List.of());
  }

  /** Writes what a task reports; a later attempt of the same task replaces it. */
  void writeReports(String stage, int task, TaskReports reports) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(task);
    out.writeInt(reports.reports().size());
    for (TaskReport report : reports.reports()) {
      out.writeUTF(report.vertexId());
      out.writeInt(report.taskIndex());
      out.writeInt(report.report().length);
      out.write(report.report());
    }
    out.writeInt(reports.edges().size());
    for (Map.Entry<String, EdgeCounters> edge : reports.edges().entrySet()) {
      out.writeUTF(edge.getKey());
      List<Long> values = edge.getValue().values();
      out.writeInt(values.size());
      for (long value : values) {
        out.writeLong(value);
      }
    }
    out.writeInt(reports.readBytes().size());
    for (Map.Entry<String, Long> edge : reports.readBytes().entrySet()) {
      out.writeUTF(edge.getKey());
      out.writeLong(edge.getValue());
    }
    write(REPORT + stage + "-" + task, bytes.toByteArray());
  }

  /** Writes what came of a sample; writing the same again does no harm. */
  void writeRedraw(Redraw redraw) throws IOException {
    String name = URLEncoder.encode(redraw.messageId(), StandardCharsets.UTF_8);
    write(REDRAW + name, PlanCodec.write(redraw));
  }

  /** All that was reported. */
  JobReports readReports() throws IOException {
    List<TaskReport> reports = new ArrayList<>();
    Map<String, EdgeCounters> edges = new TreeMap<>();
    Map<String, SortedMap<Integer, Long>> readBytes = new TreeMap<>();
    for (Path file : list(REPORT)) {
      try (DataInputStream in =
          new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
        int task = in.readInt();
        for (int left = in.readInt(); left > 0; left--) {
          String vertexId = in.readUTF();
          int taskIndex = in.readInt();
          byte[] report = new byte[in.readInt()];
          in.readFully(report);
          reports.add(new TaskReport(vertexId, taskIndex, report));
        }
        for (int left = in.readInt(); left > 0; left--) {
          String edge = in.readUTF();
          List<Long> values = new ArrayList<>();
          for (int i = in.readInt(); i > 0; i--) {
            values.add(in.readLong());
          }
          edges.merge(edge, EdgeCounters.of(values), EdgeCounters::plus);
        }
        for (int left = in.readInt(); left > 0; left--) {
          readBytes.computeIfAbsent(in.readUTF(), k -> new TreeMap<>()).put(task, in.readLong());
        }
      }
    }
    Map<String, List<Long>> bytesPerTask = new TreeMap<>();
    readBytes.forEach((edge, perTask) -> bytesPerTask.put(edge, List.copyOf(perTask.values())));
    List<Redraw> redraws = new ArrayList<>();
    for (Path file : list(REDRAW)) {
      redraws.add(PlanCodec.read(ByteBuffer.wrap(Files.readAllBytes(file)), Redraw.class));
    }
    return new JobReports(reports, edges, bytesPerTask, redraws);
  }

  /** Writes why the application master could not go on with a stage; no attempt comes after it. */
  void writeMasterFailure(String stage, Throwable failure) throws IOException {
    writeFailure(stage, 0, MASTER, failure);
  }

  /** Writes why an attempt failed. */
  void writeFailure(String stage, int task, int attempt, Throwable failure) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(failure);
    } catch (NotSerializableException e) {
      bytes.reset();
      try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
        out.writeObject(DescribedFailure.of(failure));
      }
    }
    // Attempts sort by number, so that the last one of a task comes last.
    write(String.format("%s%06d-%s-%d", FAILURE, attempt, stage, task), bytes.toByteArray());
  }

  /**
   * The failure of the attempt with the highest number, which is one that made its task and so the
   * job fail.
   */
  Optional<Throwable> readLastFailure(ClassLoader classLoader) throws IOException {
    List<Path> files = list(FAILURE);
    if (files.isEmpty()) {
      return Optional.empty();
    }
    Path last = files.get(files.size() - 1);
    try (ObjectInputStream in =
        new ClassLoaderInputStream(Files.newInputStream(last), classLoader)) {
      return Optional.of((Throwable) in.readObject());
    } catch (ClassNotFoundException e) {
      throw new IOException("cannot read why " + last.getFileName() + " failed", e);
    }
  }

  private void write(String name, byte[] bytes) throws IOException {
    Path unfinished = Files.createTempFile(directory, UNFINISHED, name);
    Files.write(unfinished, bytes);
    Files.move(
        unfinished,
        directory.resolve(name),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  private List<Path> list(String prefix) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(prefix))
          .sorted()
          .toList();
    }
  }

  /** Deletes the directory with all that is in it. */
  void delete() throws IOException {
    deleteTree(directory);
  }

  /**
   * Deletes a file, or a directory with all that is in it; does nothing when there is none. What
   * others delete meanwhile is no error.
   */
  static void deleteTree(Path root) throws IOException {
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            return continueIfGone(e);
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, IOException e)
              throws IOException {
            if (e != null) {
              return continueIfGone(e);
            }
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Deletes every file and directory below {@code root} whose name begins so. */
  static void deleteTreesNamed(Path root, String prefix) throws IOException {
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
              throws IOException {
            if (directory.getFileName().toString().startsWith(prefix)) {
              deleteTree(directory);
              return FileVisitResult.SKIP_SUBTREE;
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (file.getFileName().toString().startsWith(prefix)) {
              Files.deleteIfExists(file);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            return continueIfGone(e);
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, IOException e)
              throws IOException {
            return e == null ? FileVisitResult.CONTINUE : continueIfGone(e);
          }
        });
  }

  private static FileVisitResult continueIfGone(IOException e) throws IOException {
    if (e instanceof NoSuchFileException) {
      return FileVisitResult.CONTINUE;
    }
    throw e;
  }

  private static final class ClassLoaderInputStream extends ObjectInputStream {

    private final ClassLoader classLoader;

    ClassLoaderInputStream(InputStream in, ClassLoader classLoader) throws IOException {
      super(in);
      this.classLoader = classLoader;
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
        throws IOException, ClassNotFoundException {
      try {
        return Class.forName(description.getName(), false, classLoader);
      } catch (ClassNotFoundException e) {
        return super.resolveClass(description);
      }
    }
  }
}
