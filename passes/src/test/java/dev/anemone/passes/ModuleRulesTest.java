// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
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
          .importPackages("dev.anemone.passes");

  @Test
  void passesSeeTheIrOnly() {
    ArchRule rule =
        classes()
            .that()
            .resideInAPackage("dev.anemone.passes..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                "java..", "dev.anemone.ir..", "dev.anemone.passes..", "com.fasterxml.jackson..");
    rule.check(CLASSES);
  }

  @Test
  void jsonIsForPrintersOnly() {
    ArchRule rule =
        classes()
            .that()
            .resideInAPackage("dev.anemone.passes..")
            .and()
            .haveNameNotMatching(".*TracePrinter.*")
            .should()
            .onlyDependOnClassesThat()
            .resideOutsideOfPackage("com.fasterxml.jackson..");
    rule.check(CLASSES);
  }

  @Test
  void packagesFormNoCycle() {
    slices().matching("dev.anemone.(**)").should().beFreeOfCycles().check(CLASSES);
  }
}
