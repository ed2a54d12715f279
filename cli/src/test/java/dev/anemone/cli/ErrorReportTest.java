// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.anemone.beam.FailedPipelineException;
import dev.anemone.beam.sql.rel.UnsupportedSqlException;
import dev.anemone.runtime.engine.FailureSite;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import org.apache.beam.sdk.Pipeline.PipelineExecutionException;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.options.Validation;
import org.apache.beam.sdk.util.UserCodeException;
import org.junit.jupiter.api.Test;

class ErrorReportTest {

  /** The options of a program. */
  public interface Options extends PipelineOptions {
    @Description("Text to count")
    @Validation.Required
    String getInput();

    void setInput(String input);

    @Validation.Required
    String getOutput();

    void setOutput(String output);

    int getRepetitions();

    void setRepetitions(int repetitions);
  }

  private static final ErrorReport REPORT =
      new ErrorReport(List.of("minimal", "--repetitions=many"));

  @Test
  void whatTheUserDidWrongIsSaidInItsOwnWords() {
    assertThat(REPORT.paragraph(new IllegalArgumentException("--input=x: no such file.")))
        .isEqualTo("--input=x: no such file.");
  }

  @Test
  void aFailedPipelineShowsTheExceptionOfTheUsersCode() {
    Throwable failure =
        new PipelineExecutionException(
            UserCodeException.wrap(new IllegalStateException("the lookup service is down")));

    assertThat(REPORT.paragraph(failure))
        .isEqualTo("IllegalStateException: the lookup service is down. --stacktrace shows where.");
  }

  @Test
  void aFailedPipelineAlsoShowsWhereTheLogIs() {
    FailureSite site =
        new FailureSite(
            Optional.of("task 2 of Look up, attempt 3"),
            Optional.of("yarn logs -applicationId application_1_0002"));

    assertThat(
            REPORT.paragraph(
                new FailedPipelineException(
                    new IllegalStateException("the lookup service is down"), site)))
        .isEqualTo(
            "IllegalStateException: the lookup service is down. It failed in task 2 of Look up,"
                + " attempt 3. The command 'yarn logs -applicationId application_1_0002' shows the"
                + " log. --stacktrace shows where.");
    assertThat(
            REPORT.paragraph(
                new FailedPipelineException(new IllegalArgumentException("no such key"), site)))
        .isEqualTo(
            "no such key. It failed in task 2 of Look up, attempt 3. The command 'yarn logs"
                + " -applicationId application_1_0002' shows the log.");
  }

  @Test
  void anotherFirstCauseIsAdded() {
    assertThat(
            REPORT.paragraph(
                new IllegalStateException(
                    "The job ended", new IOException("No space left\n  on device"))))
        .isEqualTo(
            "IllegalStateException: The job ended. The cause: IOException: No space left on device."
                + " --stacktrace shows where.");
  }

  @Test
  void whatAQueryHasThatIsNotSupportedIsSaidOnce() {
    UnsupportedSqlException reason =
        new UnsupportedSqlException("The aggregate function LISTAGG is not supported.");

    assertThat(
            REPORT.paragraph(
                new IllegalStateException(
                    "Unable to plan query SELECT LISTAGG(x) FROM t: " + reason.getMessage(),
                    reason)))
        .isEqualTo(
            "Unable to plan query SELECT LISTAGG(x) FROM t: The aggregate function LISTAGG is not"
                + " supported.");
  }

  @Test
  void anErrorWithoutAMessageIsNamedByItsClass() {
    assertThat(REPORT.paragraph(new UnsupportedOperationException()))
        .startsWith("UnsupportedOperationException");
  }

  @Test
  void beamsMessageAboutAnUnknownOptionIsReworded() {
    Throwable error = parse("--input=a", "--output=b", "--outptu=c");

    assertThat(REPORT.paragraph(error))
        .startsWith("There is no option --outptu. Did you mean 'output'?");
  }

  @Test
  void beamsMessageAboutAMissingOptionIsReworded() {
    assertThat(REPORT.paragraph(parse("--output=b")))
        .startsWith("The option --input is missing. Give it as --input=..., with: Text to count");
  }

  @Test
  void beamsMessageAboutAnUnknownFileSystemIsReworded() {
    Throwable error = catchThrowable(() -> FileSystems.matchNewResource("nofs://host/a", false));

    assertThat(REPORT.paragraph(error))
        .startsWith("Paths that begin with nofs: cannot be read or written.")
        .contains("--hadoopConfDir=DIRECTORY");
  }

  @Test
  void aValueOfTheWrongTypeIsShownWithItsOption() {
    Throwable error =
        catchThrowable(
            () -> PipelineOptionsFactory.fromArgs("--repetitions=many").as(Options.class));

    assertThat(REPORT.paragraph(error))
        .isEqualTo("--repetitions=many is not of the type that is wanted here: int.");
  }

  @Test
  void theStackTraceComesOnlyWhenAskedFor() {
    assertThat(print(false)).isEqualTo("anemone: --scale is wrong\n");
    assertThat(print(true)).contains("\tat " + ErrorReportTest.class.getName());
  }

  private static String print(boolean stackTrace) {
    StringWriter text = new StringWriter();
    REPORT.print(
        new IllegalArgumentException("--scale is wrong"), stackTrace, new PrintWriter(text));
    return text.toString().replace("\r", "");
  }

  private static Throwable parse(String... args) {
    return catchThrowable(
        () -> PipelineOptionsFactory.fromArgs(args).withValidation().as(Options.class));
  }
}
