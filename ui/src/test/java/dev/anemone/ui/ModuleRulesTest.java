// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ModuleRulesTest {

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.anemone.ui");

  @Test
  void onlyTheServerSeesUndertow() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.anemone.ui.server")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.undertow..", "org.xnio..")
        .check(CLASSES);
  }

  @Test
  void modelAndPageSeeEventsOnly() {
    noClasses()
        .that()
        .resideInAnyPackage("dev.anemone.ui.model", "dev.anemone.ui.page")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache..", "dev.anemone.beam..", "dev.anemone.cli..")
        .check(CLASSES);
  }

  @Test
  void packagesFormNoCycle() {
    slices().matching("dev.anemone.ui.(**)").should().beFreeOfCycles().check(CLASSES);
  }
}
