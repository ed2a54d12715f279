// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

class ModuleRulesTest {

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.anemone.beam");

  @Test
  void onlyOnePackageSeesHadoop() {
    ArchRule rule =
        noClasses()
            .that()
            .resideOutsideOfPackage("dev.anemone.beam.hdfs..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "org.apache.hadoop..", "org.apache.tez..", "org.apache.beam.sdk.io.hdfs..");
    rule.check(CLASSES);
  }

  /** Every package is a slice of its own, those below another one, too. */
  @Test
  void packagesFormNoCycle() {
    slices().matching("dev.anemone.(**)").should().beFreeOfCycles().check(CLASSES);
  }
}
